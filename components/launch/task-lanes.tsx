"use client";

// The tasks of a fork as lanes of track between the person and the gate. A lane is chosen by pressing it, moved by its handle
// or with the arrow keys on it. All of them launch together, or none.
import { useState } from "react";
import { Aspect } from "@/components/ui/aspect";
import { Button } from "@/components/ui/button";
import { Consist } from "@/components/ui/consist";
import { formatCompact } from "@/components/ui/format";
import { HumanMark } from "@/components/ui/human-mark";
import { Icon } from "@/components/ui/icon";
import { IconButton } from "@/components/ui/icon-button";
import { KindMark } from "@/components/ui/kind-mark";
import { parseConsist } from "@/server/contract/consist";
import type { TaskPreview } from "@/server/contract/delegation";
import type { TaskForm } from "./launch-form";
import type { LaunchBlock } from "./launch-state";
import { firstLine } from "./seen-cards";
import { useRowMoves } from "./use-row-moves";

export type TaskLanesProps = {
  person: string;
  tasks: readonly TaskForm[];
  at: number;
  /** Of the last check that passed. */
  previews: readonly TaskPreview[];
  block: LaunchBlock | null;
  onSelect: (at: number) => void;
  onMove: (from: number, to: number) => void;
  onRemove: (at: number) => void;
  onAdd: () => void;
};

export function TaskLanes(props: TaskLanesProps) {
  const { person, tasks, at, previews, block, onSelect, onMove, onRemove, onAdd } = props;
  const [said, setSaid] = useState("");
  const moves = useRowMoves("task", (from, to) => {
    const place = Math.max(0, Math.min(tasks.length - 1, to));
    if (place === from) return;
    onMove(from, place);
    setSaid(`Task moved to place ${place + 1} of ${tasks.length}.`);
  });
  return (
    <section aria-label="Tasks" className="task-lanes" data-state={block === null ? "set" : "open"}>
      <HumanMark name={person} size={32} className="task-human" />
      <ol>
        {tasks.map((task, index) => {
          const isRefused = block?.tone === "failed" && block.task === index;
          const preview = previews[index];
          return (
            <li key={task.key} className="task-lane" {...moves.rowProps(index)}>
              <button
                type="button"
                className="launch-handle pointer-coarse:hidden"
                {...moves.handleProps(index, tasks.length, `task ${index + 1}`)}
              >
                <Icon name="drag" size={12} />
              </button>
              <button
                type="button"
                aria-current={index === at ? "true" : undefined}
                aria-label={`Task ${index + 1}: ${task.target?.target_ref ?? "no target selected"}`}
                className="task-wagon"
                data-refused={isRefused || undefined}
                onClick={() => onSelect(index)}
              >
                <KindMark kind={task.target?.target_strategy ?? "new"} size={14} className="text-ink-2" label={null} />
                <b dir="auto" className="task-name">
                  {task.target?.target_ref ?? "No target selected"}
                </b>
                <span dir="auto" className="min-w-0 flex-1 truncate text-ink-2">
                  {isRefused ? block.reason : firstLine(task.text)}
                </span>
                {isRefused ? <Aspect status="failed" size={14} label={null} /> : null}
                <span className="w-9 flex-none text-right text-ink-3">
                  {preview === undefined ? "" : formatCompact(weightOf(preview))}
                </span>
                {preview === undefined ? null : (
                  <Consist
                    cards={parseConsist(preview.pack.consist)}
                    window={preview.request?.window_tokens ?? null}
                    height={4}
                    className="task-load"
                  />
                )}
              </button>
              <span className="flex flex-none pointer-fine:hidden">
                <IconButton
                  icon="up"
                  label={`Move task ${index + 1} up`}
                  disabled={index === 0}
                  onClick={() => onMove(index, index - 1)}
                />
              </span>
              <IconButton
                icon="x"
                size="sm"
                iconSize={13}
                label={`Remove task ${index + 1}`}
                disabled={tasks.length === 1}
                onClick={() => onRemove(index)}
              />
            </li>
          );
        })}
      </ol>
      <div className="task-foot">
        <Button size="sm" icon="plus" keys="t" onClick={onAdd}>
          Add task
        </Button>
        <span className="text-ink-3 text-note">All launch together or not at all.</span>
      </div>
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
    </section>
  );
}

/** What its first request weighs. */
export const weightOf = ({ request, pack }: TaskPreview): number => request?.tokens ?? pack.token_sum;
