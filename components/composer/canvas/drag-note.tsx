"use client";

// While a track is drawn: what letting go would do, and the keys that change it. Without it nobody finds them.
import { Kbd } from "@/components/ui/kbd";
import { KindMark } from "@/components/ui/kind-mark";
import { nodeIdOf } from "@/server/contract/plan/plan-words";
import { useComposer, usePlan } from "../composer-context";
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

function noteKey(drag: Drag | null): string | null {
  if (drag?.kind !== "couple") return null;
  const { over } = drag;
  const to = over.kind === "wagon" ? over.place : over.kind === "frame" ? over.fork : "";
  const refusal = to === "" ? undefined : (drag.refusals.get(to) ?? drag.refusals.get(nodeIdOf(to)));
  return [drag.from, to, drag.carried, refusal ?? ""].join("\n");
}
