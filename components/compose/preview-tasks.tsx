"use client";

// The dry run of a whole fork: what each task would be given, to scale. A row leads to its cards below.
import { Consist } from "@/components/ui/consist";
import { formatCount, formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { parseConsist } from "@/server/contract/consist";
import type { TaskPreview } from "@/server/contract/delegation";
import { weightOf } from "./task-lanes";

export type PreviewTasksProps = {
  tasks: readonly TaskPreview[];
  at: number;
  isStale: boolean;
  onSelect: (at: number) => void;
};

export function PreviewTasks({ tasks, at, isStale, onSelect }: PreviewTasksProps) {
  if (tasks.length === 0) return null;
  return (
    <div className="compose-tasks" data-stale={isStale || undefined}>
      <div className="flex h-7 items-center px-4 text-ink-3 text-note">
        <span>Each task, dry run</span>
        <span className="flex-1" />
        <span>Tokens</span>
      </div>
      <ul aria-label="Each task, dry run">
        {tasks.map((task) => (
          <li key={task.task_index}>
            <button
              type="button"
              aria-current={task.task_index === at ? "true" : undefined}
              className="compose-task-row"
              onClick={() => onSelect(task.task_index)}
            >
              <span className="compose-order-number">{task.task_index + 1}</span>
              <span className="flex min-w-0 flex-1 flex-col gap-0.5 text-left">
                <span className="flex min-w-0 gap-2">
                  <b dir="auto" className="truncate">
                    {task.target.profile_name}
                  </b>
                  <span className="truncate text-ink-3">{saidOf(task)}</span>
                </span>
                <Consist
                  cards={parseConsist(task.pack.consist)}
                  window={task.request?.window_tokens ?? null}
                  height={4}
                />
              </span>
              {isTight(task) ? <Icon name="warn" size={13} className="text-st-partial" /> : null}
              <b className="w-12 flex-none text-right">{formatNumber(weightOf(task))}</b>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function saidOf({ pack, worker_count, queue_ahead, request }: TaskPreview): string {
  const { receipt } = pack;
  const window = request?.window_tokens ?? null;
  return [
    formatCount(receipt.included_cards, "card"),
    ...(receipt.left_out_cards > 0 ? [`${formatNumber(receipt.left_out_cards)} left out`] : []),
    ...(receipt.recipe ? [`${receipt.recipe.name}@${receipt.recipe.version}`] : []),
    ...(worker_count === 0 ? ["no worker takes it"] : []),
    ...(queue_ahead > 0 ? [`behind ${formatCount(queue_ahead, "turn")}`] : []),
    ...(window !== null && (request?.tokens ?? 0) > window ? ["larger than the window"] : []),
  ].join(", ");
}

const isTight = ({ worker_count, request }: TaskPreview): boolean =>
  worker_count === 0 || (request?.window_tokens != null && request.tokens > request.window_tokens);
