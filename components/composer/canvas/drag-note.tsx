"use client";

// While a track is drawn: what letting go would do, and the keys that change it. Without it nobody finds them.
import { formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { Kbd } from "@/components/ui/kbd";
import { KindMark } from "@/components/ui/kind-mark";
import type { PlaceCheck } from "@/server/contract/plan/kernel-check";
import { nodeIdOf } from "@/server/contract/plan/plan-words";
import { isPacked, shortTokens, tokensOf } from "../check/figures";
import { useComposer, usePlaceCheck, usePlan, useWouldBeAt } from "../composer-context";
import { type Carried, named } from "../draft/edits";
import { couplingWords } from "../drawing/drag-words";
import { usePick } from "../small-store";
import type { Drag } from "./drag";

const ways: readonly { carried: Carried; keys: string; words: string }[] = [
  { carried: "output", keys: "Shift", words: "output box" },
  { carried: "order", keys: "Alt", words: "order only" },
];

export function DragNote() {
  const { drag } = useComposer();
  const plan = usePlan();
  // A text that stays the same for as long as the target does: the pointer moves a hundred times over one wagon.
  const key = usePick(drag, noteKey);
  if (key === null) return null;
  const [from = "", to = "", carried = "deliverable", refusal = ""] = key.split("\n");
  const coupled = {
    from,
    to: to === "" ? null : to,
    carried: carried as Carried,
    refusal: refusal === "" ? undefined : refusal,
  };
  return (
    <div className="drag-note" aria-hidden="true">
      <p dir="auto" className="flex items-center gap-1.5 font-semibold">
        <KindMark kind="fork" size={14} label={null} />
        <span className="truncate">
          {named(plan, from)} → {coupled.to === null ? "…" : named(plan, coupled.to)}
        </span>
      </p>
      <p dir="auto" className="mt-1 text-ink-2">
        {couplingWords(plan, coupled)}
      </p>
      {coupled.to === null || coupled.refusal !== undefined ? null : <WouldSee place={coupled.to} />}
      <p>
        {ways.map((way) => (
          <span key={way.carried} data-on={carried === way.carried ? "" : undefined}>
            <kbd className="kbd">{way.keys}</kbd> {way.words}
          </span>
        ))}
        <span>
          <Kbd keys="escape" /> let go
        </span>
      </p>
    </div>
  );
}

/** The tokens of the target: as it stands, and once one lets go. Its line is there from the start, so that nothing moves. */
function WouldSee({ place }: { place: string }) {
  const plan = usePlan();
  const now = usePlaceCheck(place);
  const then = useWouldBeAt(place);
  // A fork is given nothing itself.
  if (now === undefined) return null;
  const window = (then ?? now).window_tokens;
  const [before, after] = [seen(now), seen(then ?? now)];
  return (
    <p className="mt-2 flex gap-1.5 text-ink-2">
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {named(plan, place)}
      </span>
      {/* What is added may have no known length yet. */}
      {before === after ? null : (
        <>
          {before} <Icon name="right" size={12} className="self-center" />
        </>
      )}
      <b className={then === undefined ? "font-normal" : "text-ink"}>{after}</b>
      {window === null ? null : `of ${formatNumber(window)}`}
    </p>
  );
}

const seen = (check: PlaceCheck): string => (isPacked(check) ? shortTokens(tokensOf(check)) : "refused");

function noteKey(drag: Drag | null): string | null {
  if (drag?.kind !== "couple") return null;
  const { over } = drag;
  const to = over.kind === "wagon" ? over.place : over.kind === "frame" ? over.fork : "";
  const refusal = to === "" ? undefined : (drag.refusals.get(to) ?? drag.refusals.get(nodeIdOf(to)));
  return [drag.from, to, drag.carried, refusal ?? ""].join("\n");
}
