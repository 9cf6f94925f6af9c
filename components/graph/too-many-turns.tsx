"use client";

// More turns than are drawn. A part of them would show turns without their callers and sums of a part, so nothing is drawn:
// all of them, where they can be had, or one run.
import { useQueryStates } from "nuqs";
import { useCallback, useSyncExternalStore } from "react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { plainWords } from "@/components/ui/plain-words";
import { Ago } from "@/components/ui/time";
import type { LivePicture } from "./live/live-picture";
import { LIMIT_MAX } from "./live/yard-snapshot";
import { ALL_RUNS } from "./plan/yard-turns";
import { runsOf } from "./run-menu";
import { yardParams } from "./yard-url";

export type TooManyTurnsProps = {
  projectId: string;
  live: LivePicture;
  /** A run's root turn, or all of them. */
  scope: string;
  shownTurns: number;
  totalTurns: number;
};

export function TooManyTurns({ projectId, live, scope, shownTurns, totalTurns }: TooManyTurnsProps) {
  const [, setParams] = useQueryStates(yardParams);
  const get = useCallback(() => runsOf(live), [live]);
  const runs = useSyncExternalStore(live.subscribe, get, get).filter((run) => run.root_turn_id !== scope);
  const isAll = scope === ALL_RUNS;
  const canDraw = totalTurns <= LIMIT_MAX && shownTurns < LIMIT_MAX;
  // The count goes no further than one more than are drawn.
  const total = totalTurns > LIMIT_MAX ? `more than ${formatNumber(LIMIT_MAX)}` : formatNumber(totalTurns);
  const base = `/p/${encodeURIComponent(projectId)}`;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <EmptyState
        size="page"
        title={isAll ? "Too many turns for one picture" : "This run has too many turns to draw"}
        cause={`${isAll ? "The runs of this project have" : "It has"} ${total} turns. The yard draws at most ${formatNumber(canDraw ? shownTurns : LIMIT_MAX)}${canDraw ? " of all runs unless you ask for more" : ""}. A part of them would show wrong callers and wrong sums.`}
        remedy={
          canDraw ? (
            <Button onClick={() => void setParams({ limit: LIMIT_MAX })}>
              Draw all {formatNumber(totalTurns)} turns
            </Button>
          ) : (
            <Link className="btn" href={`${base}/agents`}>
              List the agents
            </Link>
          )
        }
      />
      {runs.length === 0 ? null : (
        <nav aria-label="Runs of this project" className="mx-auto w-full max-w-160 px-6 pb-16">
          <h2 className="mb-2 font-semibold">{isAll ? "Show one run" : "Show another run"}</h2>
          <ul>
            {runs.map((run) => (
              <li key={run.id}>
                <Link
                  href={`${base}?run=${encodeURIComponent(run.root_turn_id)}`}
                  className="-mx-1.5 flex h-7 items-center gap-2 rounded-1 px-1.5 hover:bg-raise max-sm:h-11"
                >
                  <b className="flex-none">Run {run.number}</b>
                  <span className="min-w-0 flex-1 truncate text-ink-2" title={run.title}>
                    {plainWords(run.title)}
                  </span>
                  <Ago at={run.created_at} className="flex-none text-ink-3" />
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  );
}
