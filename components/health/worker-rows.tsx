// Workers by what they take, each with its last sign of life.
import { CopyButton } from "@/components/ui/copy-button";
import { Icon } from "@/components/ui/icon";
import { Ago } from "@/components/ui/time";
import type { Worker } from "@/server/contract/health";
import { workersByTarget } from "./health-checks";

const START = "npm run worker";

export function WorkerRows({ workers, isKnown }: { workers: readonly Worker[]; isKnown: boolean }) {
  if (!isKnown) return <p className="health-none">Unknown: the database, where workers report, does not answer.</p>;
  if (workers.length === 0)
    return (
      <p className="health-none">
        <Icon name="warn" size={14} className="text-st-partial" />
        <span>No worker is running, so every turn waits. Start one:</span>
        <code className="mono">{START}</code>
        <CopyButton text={START} label="Copy the command" size="sm" />
      </p>
    );
  return (
    <ul className="health-list">
      {workersByTarget(workers).map(({ target, workers: list }) => (
        <li key={target} className="health-row">
          <span className="health-name">
            <span className="mono truncate" title={target}>
              {target === "*" ? "* any target" : target}
            </span>
          </span>
          <ul className="grid min-w-0 gap-1">
            {list.map((worker) => (
              <li key={`${worker.project_id} ${worker.worker_id}`} className="flex min-w-0 flex-wrap gap-x-3">
                <span className="mono min-w-0 break-all">{worker.worker_id}</span>
                <span className="text-ink-2">
                  {worker.project_id === "*" ? "all projects" : `project ${worker.project_id}`}
                </span>
                <span className="text-ink-3">version {worker.version}</span>
                <span className="flex-1" />
                <span className="text-ink-3">
                  seen <Ago at={worker.seen_at} />
                </span>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
