"use client";

// A turn as one line on a phone.
import { useMemo } from "react";
import { Aspect } from "@/components/ui/aspect";
import { Consist } from "@/components/ui/consist";
import { Icon } from "@/components/ui/icon";
import { KindMark } from "@/components/ui/kind-mark";
import { Plate } from "@/components/ui/plate";
import { lampWords } from "@/components/ui/sign-words";
import { parseConsist } from "@/server/contract/consist";
import { gaugeOf } from "@/server/contract/tokens";
import { TurnTime } from "../canvas/turn-time";
import { Fill } from "../fill";
import { foldMatches, spokenFold } from "../fold-words";
import { askedWords } from "../plan/asked";
import { consistOf, phoneLabel, spokenTurn } from "../turn-words";
import { useAlarms, useFold, useMoreWords, useRequests, useTurn, useYard } from "../yard-context";
import { type PhoneRow, phoneTrackY, phoneWagonX } from "./phone-plan";

export function PhoneWagon({ row, index, right }: { row: PhoneRow; index: number; right: number }) {
  const turn = useTurn(row.id);
  const more = useMoreWords(turn);
  const asked = askedWords(useRequests(row.id));
  const alarms = useAlarms(row.id);
  const { selectedId, select, setFold, matches } = useYard();
  const fold = useFold(row.id);
  const text = turn ? consistOf(turn) : "";
  const cards = useMemo(() => parseConsist(text), [text]);
  if (!turn) return null;
  const isSelected = selectedId === turn.agent_turn_id;
  const wagon = (
    <button
      type="button"
      className={`phone-wagon ${isSelected ? "selected" : ""}`}
      data-turn={turn.agent_turn_id}
      data-status={turn.status}
      data-filtered={matches !== null && !matches.has(turn.agent_turn_id) ? "" : undefined}
      aria-label={spokenTurn(turn, more)}
      aria-description={lampWords[turn.status]}
      aria-pressed={isSelected}
      style={{ top: phoneTrackY(index) - 42, left: phoneWagonX(row.level), right }}
      onClick={() => select(isSelected ? null : turn.agent_turn_id)}
    >
      <Aspect status={turn.status} size={15} label={null} />
      {turn.primitive === "ask_expert" ? <KindMark kind="ask" size={13} label={null} className="text-ink-2" /> : null}
      {turn.mark ? <Icon name="flag" size={13} className="text-st-failed" /> : null}
      {asked === null ? null : <Icon name="person" size={13} className="flex-none" />}
      {alarms.length === 0 ? null : <Icon name="warn" size={13} className="flex-none text-st-partial" />}
      <span className="flex min-w-0 flex-1 items-center gap-1.5">
        <span dir="auto" className="truncate font-medium">
          {asked ?? phoneLabel(turn)}
        </span>
        <Plate code={turn.headcode} tone={isSelected ? "ink" : "raised"} />
      </span>
      <Fill turn={turn} className="text-[11px]" />
      <TurnTime turn={turn} className="text-ink-3" />
      <Consist cards={cards} window={turn.window_tokens} mark={gaugeOf(turn)?.tokens} height={4} />
      {fold ? <span aria-hidden className="w-14 flex-none" /> : null}
    </button>
  );
  if (!fold) return wagon;
  const found = foldMatches(fold, matches);
  return (
    <>
      {wagon}
      <button
        type="button"
        className="phone-below"
        aria-label={`Unfold ${spokenFold(fold, matches)}`}
        style={{ top: phoneTrackY(index) - 40, right: right + 4 }}
        onClick={() => setFold(fold.id, false)}
      >
        <Aspect status={fold.worst} size={12} label={null} />+{found ?? fold.turns.length}
      </button>
    </>
  );
}
