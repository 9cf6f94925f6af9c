"use client";

// The head of the box page: its plate, what it is, how much of the window it takes, and what one can do with it.
import Link from "next/link";
import { Aspect } from "@/components/ui/aspect";
import { Button } from "@/components/ui/button";
import { Consist } from "@/components/ui/consist";
import type { ConsistCard } from "@/components/ui/consist-segments";
import { CopyButton } from "@/components/ui/copy-button";
import { formatCount, formatNumber, formatPercent } from "@/components/ui/format";
import { Plate } from "@/components/ui/plate";
import { Ago, Clock } from "@/components/ui/time";
import { useLaunchWith } from "@/components/ui/use-launch-with";
import { boxPlate } from "@/server/contract/box";
import { parseConsist } from "@/server/contract/consist";
import type { BoxSheet } from "@/server/contract/line";
import { isEnded } from "@/server/contract/turn";
import { boxTitle } from "./box-words";

export type BoxHeadProps = { sheet: BoxSheet; cards: readonly ConsistCard[]; isLive: boolean };

const plateTurnsMax = 4;

export function BoxHead({ sheet, cards, isLive }: BoxHeadProps) {
  const launchWith = useLaunchWith();
  const base = `/p/${encodeURIComponent(sheet.project_id)}`;
  const turns = sheet.turns.slice(0, plateTurnsMax);
  return (
    <header className="flex flex-none flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
      <Plate code={boxPlate(sheet.box_id)} tone="ink" size="lg" title={sheet.box_id} />
      <div className="min-w-0">
        <h1 className="truncate text-h1">{boxTitle(sheet)}</h1>
        <p className="flex flex-wrap items-center gap-x-1 text-ink-2">
          {formatCount(sheet.length, "card")}, {formatNumber(sheet.token_sum)} tokens,{" "}
          <Sealed sheet={sheet} isLive={isLive} />
        </p>
      </div>
      <Gauge sheet={sheet} cards={cards} />
      <span className="flex-1" />
      <div className="flex flex-wrap items-center gap-1.5 max-sm:w-full">
        {turns.map((turn) => (
          <Link
            key={`${turn.agent_turn_id} ${turn.use}`}
            href={`${base}?run=${turn.root_turn_id}&turn=${turn.agent_turn_id}`}
            title={`${turn.headcode} ${turn.profile_name}: ${turn.status}. Show it in the yard.`}
            className="flex items-center gap-1 rounded-2 px-1 py-1 hover:bg-raise"
          >
            <Aspect status={turn.status} />
            <Plate code={turn.headcode} />
          </Link>
        ))}
        {sheet.turn_count > turns.length ? (
          <span className="text-ink-3" title={`${sheet.turn_count} turns use this box. The newest are shown.`}>
            {turns.length} of {formatNumber(sheet.turn_count)} turns
          </span>
        ) : null}
        <Button icon="launch" onClick={() => launchWith({ boxes: [sheet.box_id] })}>
          Use in a launch
        </Button>
        <CopyButton text={sheet.box_id} label="Copy the box id" className="max-sm:hidden" />
      </div>
    </header>
  );
}

function Sealed({ sheet, isLive }: { sheet: BoxSheet; isLive: boolean }) {
  const isWritten = sheet.kind === "output" && sheet.turns.some((turn) => !isEnded(turn.status));
  if (!isWritten)
    return (
      <span>
        {endWords[sheet.kind] ?? "made"} <Clock at={sheet.updated_at} />
      </span>
    );
  return (
    <span className="flex items-center gap-1">
      {isLive ? "growing, last" : "written"} <Ago at={sheet.updated_at} />
    </span>
  );
}

const endWords: Partial<Record<BoxSheet["kind"], string>> = {
  context: "sealed",
  output: "last written",
  import: "imported",
};

/** The first request where one was made, else the box itself; always against the window of whoever reads it. */
function Gauge({ sheet, cards }: Pick<BoxHeadProps, "sheet" | "cards">) {
  const window = sheet.turns.at(0)?.window_tokens ?? null;
  const first = sheet.kind === "context" ? sheet.first_request : undefined;
  const tokens = first?.tokens ?? sheet.token_sum;
  const drawn = first === undefined || first.consist === "" ? cards : parseConsist(first.consist);
  return (
    <div className="w-[330px] max-sm:w-full sm:ml-6">
      <p className="mb-[5px] flex items-baseline gap-2 whitespace-nowrap">
        <span className="text-ink-3">{first === undefined ? "Load" : "First request"}</span>
        <span className="flex-1" />
        <span className="min-w-0 truncate">
          <b className="font-[650]">{formatNumber(tokens)}</b>{" "}
          <span className="text-ink-3">
            {window === null ? "tokens, est." : `of ${formatNumber(window)}, est.`}
            {first?.reported_tokens === undefined ? "" : `; reported ${formatNumber(first.reported_tokens)}`}
            {window === null || tokens / window < 0.8 ? "" : `; ${formatPercent(tokens, window)} full`}
          </span>
        </span>
      </p>
      <Consist cards={drawn} window={window} height={10} />
    </div>
  );
}
