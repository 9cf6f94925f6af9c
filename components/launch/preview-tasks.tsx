"use client";

// The dry run of a whole fork: what each task would be given, to scale. A row leads to its cards below. The rows stay while
// one is refused, so that nothing jumps.
import { Consist } from "@/components/ui/consist";
import { formatCount, formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { parseConsist } from "@/server/contract/consist";
import type { TaskPreview } from "@/server/contract/delegation";
import type { TaskForm } from "./launch-form";
import type { LaunchBlock } from "./launch-state";
import { weightOf } from "./task-lanes";

export type PreviewTasksProps = {
  tasks: readonly TaskForm[];
  /** Empty until the check of all has passed. */
  previews: readonly TaskPreview[];
  block: LaunchBlock | null;
  at: number;
  isStale: boolean;
  onSelect: (at: number) => void;
};

export function PreviewTasks({ tasks, previews, block, at, isStale, onSelect }: PreviewTasksProps) {
  return (
    <div className="launch-tasks" data-stale={isStale || undefined}>
      <div className="flex h-7 items-center px-4 text-ink-3 text-note">
        <span>Each task, dry run</span>
        <span className="flex-1" />
        <span>Tokens</span>
      </div>
      <ul aria-label="Each task, dry run">
        {tasks.map((task, index) => {
          const preview = previews[index];
          return (
            <li key={task.key}>
              <button
                type="button"
                aria-current={index === at ? "true" : undefined}
                className="launch-task-row"
                onClick={() => onSelect(index)}
              >
                <span className="launch-order-number">{index + 1}</span>
                <span className="flex min-w-0 flex-1 flex-col gap-0.5 text-left">
                  <span className="flex min-w-0 gap-2">
                    <b dir="auto" className="max-w-1/2 flex-none truncate">
                      {preview?.target.profile_name ?? task.target?.target_ref ?? "No target selected"}
                    </b>
                    <span className="truncate text-ink-3">
                      {preview === undefined ? uncheckedWords(index, block) : saidOf(preview)}
                    </span>
                  </span>
                  {preview === undefined ? (
                    <span className="consist" style={{ height: 4 }} />
                  ) : (
                    <Consist
                      cards={parseConsist(preview.pack.consist)}
                      window={preview.request?.window_tokens ?? null}
                      height={4}
                    />
                  )}
                </span>
                {preview !== undefined && isTight(preview) ? (
                  <Icon name="warn" size={13} className="text-st-partial" />
                ) : null}
                <b className="w-12 flex-none text-right">
                  {preview === undefined ? "" : formatNumber(weightOf(preview))}
                </b>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function uncheckedWords(index: number, block: LaunchBlock | null): string {
  if (block?.tone === "waiting") return "Checking";
  if (block?.task !== index) return "Not checked";
  return block.tone === "failed" ? "Refused" : "Not complete";
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
