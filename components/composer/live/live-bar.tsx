"use client";

// Above the canvas while a run is watched where it was drawn: which run it is, what may still change, and the ways on.
import { Aspect } from "@/components/ui/aspect";
import { Button } from "@/components/ui/button";
import { formatCount } from "@/components/ui/format";
import { IconButton } from "@/components/ui/icon-button";
import { Link } from "@/components/ui/link";
import { ridersOf } from "@/server/contract/plan/plan-words";
import { useComposer, useDrawn } from "../composer-context";
import { usePick } from "../small-store";
import { figuresOf } from "./comparison";
import { tally } from "./live-words";
import type { Watch } from "./use-watch";

export type LiveBarProps = {
  base: string;
  watch: Watch;
  isCompared: boolean;
  onBack: () => void;
  onFork: () => void;
  /** Null = there is no run to compare it with. */
  onCompare: (() => void) | null;
};

export function LiveBar({ base, watch, isCompared, onBack, onFork, onCompare }: LiveBarProps) {
  const { run, run_number } = watch.watched;
  const { store } = useComposer();
  const canUndo = useDrawn(({ history }) => history.past.length > 0);
  const canRedo = useDrawn(({ history }) => history.future.length > 0);
  const selected = useDrawn(({ selection }) => selection.join(","));
  return (
    <header className="composer-bar">
      <h1 dir="auto" className="max-w-64 truncate font-semibold">
        {run.name || "New plan"}
      </h1>
      <span className="flex items-center gap-1.5 text-ink-2">
        {run.version === undefined ? "" : `v${run.version}, `}run {run_number}
        <Aspect status={run.status} size={14} label={null} /> {run.status}
      </span>
      <i aria-hidden className="mx-1 h-4 w-px flex-none bg-line-2" />
      <IconButton icon="undo" label="Undo" keys="mod+z" aria-disabled={!canUndo} onClick={() => store.undo()} />
      <IconButton icon="redo" label="Redo" keys="shift+mod+z" aria-disabled={!canRedo} onClick={() => store.redo()} />
      <span className="min-w-0 flex-1 truncate text-ink-3" role="status">
        <ChangeWords watch={watch} />
      </span>
      {onCompare === null ? null : (
        <Button aria-pressed={isCompared} keys="d" onClick={onCompare}>
          Compare
        </Button>
      )}
      <Button aria-pressed={watch.isForking} icon="fork" keys="shift+f" onClick={onFork}>
        Fork
      </Button>
      <Button onClick={onBack} keys="escape">
        Back to the drawing
      </Button>
      <Link className="btn" href={`${base}?run=${run.root_turn_id}${turnOf(watch, selected)}`}>
        Open in yard
      </Link>
    </header>
  );
}

/** The yard opens on the same turn. */
function turnOf({ watched }: Watch, place: string): string {
  const turn = watched.turns.find((one) => one.place === place && one.as_in_run === undefined);
  return turn ? `&turn=${turn.agent_turn_id}` : "";
}

function ChangeWords({ watch: { watched, steps, mode, refusal, isForking } }: { watch: Watch }) {
  if (refusal !== null) return <span className="text-st-failed">{refusal}</span>;
  if (steps > 0 && mode === "edit") return `${formatCount(steps, "change")}, not sent`;
  if (isForking)
    return steps === 0 ? "a fork, not launched" : `a fork with ${formatCount(steps, "change")}, not launched`;
  if (watched.run.status !== "running") return "This run is over. What is changed here makes a fork of it.";
  const open = watched.run.nodes.filter(({ status }) => status === "waiting" || status === "held").length;
  return open === 0 ? "All is packed" : `${formatCount(open, "step")} can still change`;
}

/** In the place of the counts of the drawing. */
export function LiveCounts({ watch: { watched } }: { watch: Watch }) {
  const { live } = useComposer();
  const places = usePick(live, whole) ?? new Map();
  const { done, running, open } = tally(
    places,
    ridersOf(watched.run.body).map(({ place }) => place),
  );
  const { tokens } = figuresOf(watched);
  return (
    <p className="composer-counts" role="status">
      {(
        [
          ["success", done, "done"],
          ["running", running, "running"],
          ["queued", open, "to come"],
        ] as const
      ).map(([status, count, words]) => (
        <span key={status} className="aspect-count">
          <Aspect status={status} size={14} label={null} /> <b>{count}</b> {words}
        </span>
      ))}
      <span className="composer-counts-rest">{formatCount(tokens, "token")} used</span>
    </p>
  );
}

const whole = <T,>(value: T): T => value;
