// Rows that do not agree with each other: where, what is wrong, and what helps; or when all were last looked at.
import { formatCount } from "@/components/ui/format";
import { Ago } from "@/components/ui/time";
import type { Health, RowFinding } from "@/server/contract/health";
import { RuleRow } from "./rule-row";

type Checks = Health["checks"];

export function RowFindings({ checks, isKnown }: { checks: Checks; isKnown: boolean }) {
  if (!isKnown) return <p className="health-none">Unknown: the database does not answer.</p>;
  if (checks.findings === 0)
    return (
      <p className="health-none">
        <span>
          <LastCheck checks={checks} />
        </span>
      </p>
    );
  const more = checks.findings - checks.newest.length;
  return (
    <>
      <p className="mb-1.5 text-ink-2">
        These rows contradict others. Nothing repairs them by itself: look at what changed them, or restore them from a
        backup. A row that is right again goes from this list at the next daily check.
      </p>
      <ul className="health-list">
        {checks.newest.map((row) => (
          <FindingRow key={`${row.project_id} ${row.rule} ${row.row_key}`} row={row} />
        ))}
      </ul>
      {more > 0 ? <p className="mt-1.5 text-ink-3">{formatCount(more, "older row")} not shown.</p> : null}
    </>
  );
}

function LastCheck({ checks: { began_at, ended_at, rows } }: { checks: Checks }) {
  if (began_at === undefined) return "Not checked yet. Workers check all rows once a day.";
  if (ended_at === undefined)
    return (
      <>
        Checking: {formatCount(rows, "row")} since <Ago at={began_at} />. All agree so far.
      </>
    );
  return (
    <>
      All rows agree: {formatCount(rows, "row")} checked <Ago at={ended_at} />.
    </>
  );
}

function FindingRow({ row }: { row: RowFinding }) {
  const when = (
    <>
      found <Ago at={row.found_at} />
    </>
  );
  return (
    <RuleRow row={row} tone="bad" when={when}>
      <p className="break-words">
        <span className="mono break-all">{row.row_key}</span>: {row.what}
      </p>
    </RuleRow>
  );
}
