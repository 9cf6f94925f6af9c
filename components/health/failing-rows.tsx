// Rows that the watchdog cannot handle: what fails, since when, when it is tried again, and the way to the turn.
import { formatCount } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { Ago, Clock } from "@/components/ui/time";
import type { Health, WatchdogFailure } from "@/server/contract/health";
import { RuleRow } from "./rule-row";
import { whatFails, whatHelps } from "./watchdog-words";

export function FailingRows({ watchdog, isKnown }: { watchdog: Health["watchdog"]; isKnown: boolean }) {
  if (!isKnown) return <p className="health-none">Unknown: the database does not answer.</p>;
  const overdue =
    watchdog.overdue === 0 ? null : (
      <p className="mb-1.5 text-ink-2">
        {formatCount(watchdog.overdue, "removed project")} should have been deleted by now. Only workers run a watchdog:
        start one with <code>npm run worker</code>.
      </p>
    );
  if (watchdog.failing === 0) return overdue ?? <p className="health-none">No rows need attention.</p>;
  const more = watchdog.failing - watchdog.newest.length;
  return (
    <>
      {overdue}
      <p className="mb-1.5 text-ink-2">
        Each row is retried automatically, at growing intervals. Other rows are not affected.
      </p>
      <ul className="health-list">
        {watchdog.newest.map((row) => (
          <FailingRow key={`${row.project_id} ${row.rule} ${row.row_key}`} row={row} />
        ))}
      </ul>
      {more > 0 ? <p className="mt-1.5 text-ink-3">{formatCount(more, "older row")} not shown.</p> : null}
    </>
  );
}

function FailingRow({ row }: { row: WatchdogFailure }) {
  const turn =
    row.agent_turn_id === undefined ? null : (
      <Link
        className="underline"
        href={`/p/${encodeURIComponent(row.project_id)}/turns/${encodeURIComponent(row.agent_turn_id)}`}
      >
        Open the turn
      </Link>
    );
  const when = (
    <>
      {formatCount(row.attempts, "try", "tries")} since <Ago at={row.first_seen_at} />, next at{" "}
      <Clock at={row.next_try_at} />
    </>
  );
  return (
    <RuleRow row={row} tone="warn" link={turn} when={when}>
      <p>
        {whatFails(row)}: <span className="mono break-all">{row.row_key}</span>
      </p>
      <p className="break-words">
        {row.last_error} <span className="mono text-ink-3">{row.error_code}</span>
      </p>
      <p className="text-ink-2">{whatHelps(row)}</p>
    </RuleRow>
  );
}
