// What is due and waits, by target and project; if no worker takes it, which one is missing and how to start it.
import { CopyButton } from "@/components/ui/copy-button";
import { formatCount } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { Ago } from "@/components/ui/time";
import type { Health, Waiting } from "@/server/contract/health";
import { ToneMark } from "./tone-mark";

export function WaitingRows({ waiting, isKnown }: { waiting: Health["waiting"]; isKnown: boolean }) {
  if (!isKnown) return <p className="health-none">Unknown: the database does not answer.</p>;
  if (waiting.groups === 0) return <p className="health-none">No messages are waiting.</p>;
  const more = waiting.groups - waiting.first.length;
  return (
    <>
      <ul className="health-list">
        {waiting.first.map((one) => (
          <WaitingRow key={`${one.project_id} ${one.worker_target} ${one.needs_own_worker}`} waiting={one} />
        ))}
      </ul>
      {more > 0 ? (
        <p className="mt-1.5 text-ink-3">
          {formatCount(more, "other target")} not shown; {formatCount(waiting.rows, "row")} wait in all.
        </p>
      ) : null}
    </>
  );
}

function WaitingRow({ waiting }: { waiting: Waiting }) {
  const { worker_target, project_id, project_title, rows, oldest_at, is_served, needs_own_worker } = waiting;
  const command = `SWITCHYARD_WORKER_TARGETS=${worker_target} npm run worker`;
  return (
    <li className="health-row">
      <span className="health-name">
        <ToneMark tone={is_served ? "good" : "warn"} />
        <span className="mono truncate" title={worker_target}>
          {worker_target}
        </span>
      </span>
      <div className="min-w-0">
        <div className="flex flex-wrap gap-x-3">
          <Link
            className="font-semibold hover:underline"
            href={`/p/${encodeURIComponent(project_id)}/inbox?group=target`}
          >
            {project_title}
          </Link>
          <span>{formatCount(rows, "row")}</span>
          <span className="flex-1" />
          <span className="text-ink-3">
            due <Ago at={oldest_at} />
          </span>
        </div>
        {is_served ? (
          <span className="text-ink-2">A worker takes them; the oldest goes first.</span>
        ) : needs_own_worker ? (
          <span className="text-ink-2">
            Missing: a worker of this project that names <span className="mono">{worker_target}</span>. Their profile
            names no model, so the built-in worker leaves them; start your program, or name a model in the profile.
          </span>
        ) : (
          <span className="flex flex-wrap items-center gap-x-1.5 text-ink-2">
            Missing: a worker of <span className="mono">{worker_target}</span>. Start one:
            <code className="mono break-all text-ink">{command}</code>
            <CopyButton text={command} label="Copy the command" size="sm" />
          </span>
        )}
      </div>
    </li>
  );
}
