"use client";

// The rows of a board: all branches on one time scale, and behind them the gate that their tracks run into.
import type { CSSProperties, ReactNode, Ref } from "react";
import { KindMark } from "@/components/ui/kind-mark";
import type { BatchSheet, Branch } from "@/server/contract/batch-sheet";
import { laneOf } from "./batch-words";
import { BranchRow } from "./branch-row";
import { gateMark } from "./gate-outcomes";
import { JoinGate } from "./join-gate";
import { axisOf, axisTicks, placeOf, seenUntil } from "./time-axis";

export type BoardRowsProps = {
  base: string;
  sheet: BatchSheet;
  /** In the order they are shown. */
  branches: readonly Branch[];
  chosen: number | null;
  now: number;
  sortBy: ReactNode;
  onChoose: (index: number) => void;
  onOpen: (branch: Branch) => void;
  ref: Ref<HTMLOListElement>;
};

export function BoardRows({ base, sheet, branches, chosen, now, sortBy, onChoose, onOpen, ref }: BoardRowsProps) {
  const axis = axisOf(sheet, sheet.tasks, now);
  // The server does not know the reader's clock: what still runs is drawn to where it was last seen.
  const clock = now === 0 ? seenUntil(sheet, sheet.tasks) : now;
  const ticks = axisTicks(axis);
  const height = rowHeight(branches.length);
  const heaviest = Math.max(1, ...branches.map((branch) => branch.turn?.output_tokens ?? 0));
  const isOpen = sheet.status === "running";
  const good = branches.filter((branch) => laneOf(branch) === "success").length;
  return (
    <section
      className="board-rows"
      style={{ "--row": `${height}px`, "--lines": height > 100 ? 3 : 2 } as CSSProperties}
      aria-label="Tasks"
    >
      <div className="board-columns board-axis">
        <span className="flex items-center">{sortBy}</span>
        <span aria-hidden>Result</span>
        <span className="relative h-full" aria-hidden>
          {/* A label at the very edge would run into the next column's. */}
          {ticks
            .filter((tick) => tick.at < LABEL_MAX)
            .map((tick) => (
              <span key={tick.at} className="board-tick-label" style={{ left: `${tick.at * 100}%` }}>
                {tick.label}
              </span>
            ))}
        </span>
        <span aria-hidden>Attempts</span>
        <span className="text-right" aria-hidden>
          Load, cost
        </span>
        <span className="flex items-center justify-center gap-1 text-ink">
          <KindMark kind="join" size={13} label={null} />
          <b className="font-[650]">{good}</b>
          <span className="text-ink-3">/{sheet.task_count}</span>
          <span className="sr-only"> delivered</span>
        </span>
      </div>
      <div className="relative">
        <div className="board-columns board-grid" aria-hidden>
          <span />
          <span />
          <span className="relative">
            {ticks.map((tick) => (
              <i key={tick.at} style={{ left: `${tick.at * 100}%` }} />
            ))}
            {isOpen && now > 0 ? <b style={{ left: `${placeOf(now, axis) * 100}%` }} /> : null}
          </span>
        </div>
        <ol ref={ref} className="board-list">
          {branches.map((branch) => (
            <BranchRow
              key={branch.batch_task_id}
              base={base}
              branch={branch}
              axis={axis}
              now={now}
              clock={clock}
              heaviest={heaviest}
              attemptsMax={sheet.attempts_max}
              gateMark={gateMark(sheet, sheet.tasks, branch.task_index)}
              isChosen={branch.task_index === chosen}
              onChoose={onChoose}
              onOpen={onOpen}
            />
          ))}
        </ol>
        <JoinGate branches={branches} rowHeight={height} isOpen={isOpen} chosen={chosen} />
      </div>
    </section>
  );
}

const LABEL_MAX = 0.93;

/** A few tasks are read, many are looked over. */
function rowHeight(count: number): number {
  return count <= 5 ? 103 : count <= 12 ? 84 : 66;
}
