"use client";

// Above the canvas while a run is watched where it was drawn: which run it is, how far it has come, and the ways on.
import Link from "next/link";
import { Aspect } from "@/components/ui/aspect";
import { Button } from "@/components/ui/button";
import { formatCount } from "@/components/ui/format";
import { ridersOf } from "@/server/contract/plan/plan-words";
import type { RunDrawing } from "@/server/contract/plan/run-drawing";
import { useComposer } from "../composer-context";
import { usePick } from "../small-store";
import { tally } from "./live-words";

export function LiveBar({ base, watched, onBack }: { base: string; watched: RunDrawing; onBack: () => void }) {
  const { run, run_number } = watched;
  return (
    <header className="composer-bar">
      <h1 dir="auto" className="max-w-64 truncate font-semibold">
        {run.name || "New plan"}
      </h1>
      <span className="flex items-center gap-1.5 text-ink-2">
        {run.version === undefined ? "" : `v${run.version}, `}run {run_number}
        <Aspect status={run.status} size={14} label={null} /> {run.status}
      </span>
      <span className="flex-1" />
      <span className="text-ink-3 max-[1180px]:hidden">What is packed is fixed. The draft is as it was.</span>
      <Button onClick={onBack} keys="escape">
        Back to the drawing
      </Button>
      <Link className="btn" href={`${base}?run=${run.root_turn_id}`}>
        Open in yard
      </Link>
    </header>
  );
}

/** In the place of the counts of the drawing. */
export function LiveCounts({ watched }: { watched: RunDrawing }) {
  const { live } = useComposer();
  const places = usePick(live, whole) ?? new Map();
  const { done, running, open } = tally(
    places,
    ridersOf(watched.run.body).map(({ place }) => place),
  );
  const held = watched.turns.reduce((sum, turn) => sum + turn.context_tokens + turn.output_tokens, 0);
  return (
    <p className="composer-counts" role="status">
      <b>{done}</b> done <b>{running}</b> running <b>{open}</b> to come{" "}
      <span className="text-ink-2">{formatCount(held, "token")} held</span>
    </p>
  );
}

const whole = <T,>(value: T): T => value;
