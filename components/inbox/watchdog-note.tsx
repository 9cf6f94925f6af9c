"use client";

// Rows of this project that the watchdog cannot handle: each keeps something waiting, and someone has to look.
import { useQuery } from "@tanstack/react-query";
import { Remedy } from "@/components/domain/remedy";
import { pace, useReadAgain } from "@/components/domain/use-read-again";
import { useTRPC } from "@/components/trpc/client";
import { formatClock, formatCount } from "@/components/ui/format";
import { Link } from "@/components/ui/link";

const shownMax = 5;

export function WatchdogNote({ projectId }: { projectId: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.health.get.queryOptions(undefined, useReadAgain(pace.seldom)));
  const rows = data?.watchdog.newest.filter((row) => row.project_id === projectId) ?? [];
  if (rows.length === 0) return null;
  return (
    <section aria-label="Watchdog" className="flex-none border-line border-b px-4 py-3 text-ink-2 leading-[1.45]">
      <b className="text-ink">The watchdog cannot handle {formatCount(rows.length, "row")}</b>
      <p>Each is retried automatically, and nothing else waits for them. Fix the cause that the error names.</p>
      <ul className="mt-1 grid gap-1">
        {rows.slice(0, shownMax).map((row) => (
          <li key={`${row.rule} ${row.row_key}`} className="break-words">
            <code className="mono text-ink">{row.rule}</code> of <code className="mono text-ink">{row.row_key}</code>:{" "}
            {row.last_error} ({row.error_code}, tried {formatCount(row.attempts, "time")}, again at{" "}
            {formatClock(row.next_try_at)}). <Remedy code={row.error_code} />
          </li>
        ))}
      </ul>
      <p className="mt-1">
        <Link className="underline" href="/health">
          {rows.length > shownMax
            ? "All of them, and what helps, on the health page"
            : "What helps, on the health page"}
        </Link>
      </p>
    </section>
  );
}
