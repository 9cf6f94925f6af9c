"use client";

// Health on one page: what works, what waits, who is missing, and what would help. The figures are those of /api/v1/health.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Failure } from "@/components/domain/failure";
import { pace, useReadAgain } from "@/components/domain/use-read-again";
import { useTRPC } from "@/components/trpc/client";
import { Icon } from "@/components/ui/icon";
import { useTabTitle } from "@/components/ui/tab-title";
import { Ago, Clock } from "@/components/ui/time";
import type { Health } from "@/server/contract/health";
import { FailingRows } from "./failing-rows";
import { type Check, checksOf, reasonWords, verdictOf } from "./health-checks";
import { HealthSkeleton } from "./health-skeleton";
import { RowFindings } from "./row-findings";
import { ToneMark } from "./tone-mark";
import { WaitingRows } from "./waiting-rows";
import { WorkerRows } from "./worker-rows";
import "./health.css";

export function HealthScreen() {
  const trpc = useTRPC();
  useTabTitle("Health");
  const { data, error, dataUpdatedAt, refetch } = useQuery(
    trpc.health.get.queryOptions(undefined, {
      ...useReadAgain(pace.often),
      placeholderData: keepPreviousData,
      retry: false,
    }),
  );
  if (data === undefined)
    return error === null ? <HealthSkeleton /> : <Failure error={error} what="health" onRetry={refetch} />;
  const verdict = verdictOf(data);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: nothing in it may be focusable, and it may be longer than the window
    <section className="health" aria-label="Health" tabIndex={0}>
      <header className="health-head">
        <h1 className="text-h1">Health</h1>
        <p className="flex min-w-0 items-center gap-2">
          <ToneMark tone={verdict.tone} size={15} />
          <span>{verdict.said}</span>
        </p>
        <span className="flex-1" />
        <span className="text-ink-3">
          {error === null ? "as of" : "The server does not answer; this is as of"}{" "}
          <Clock at={new Date(dataUpdatedAt).toISOString()} />
        </span>
      </header>
      <Part title="Database and live updates">
        <ul className="health-list">
          {checksOf(data).map((check) => (
            <CheckRow key={check.name} check={check} />
          ))}
        </ul>
        <ServerLine health={data} />
      </Part>
      <Part title="Workers" note="seen within the last 30 s">
        <WorkerRows workers={data.workers} isKnown={data.status !== "down"} />
      </Part>
      <Part title="What waits" note="due, and not taken yet">
        <WaitingRows waiting={data.waiting} isKnown={data.status !== "down"} />
      </Part>
      <Part title="Watchdog" note="rows that it cannot handle">
        <FailingRows watchdog={data.watchdog} isKnown={data.status !== "down"} />
      </Part>
      <Part title="Data checks" note="what must hold between rows">
        <RowFindings checks={data.checks} isKnown={data.status !== "down"} />
      </Part>
      <footer className="mt-4 text-ink-3">
        Switchyard {data.version}. The same for programs: <code className="mono">GET /api/v1/health</code>
      </footer>
    </section>
  );
}

function Part({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="mt-5">
      <h2 className="mb-1.5 flex items-baseline gap-2 font-semibold">
        {title}
        {note === undefined ? null : <span className="font-normal text-ink-3 text-note">{note}</span>}
      </h2>
      {children}
    </section>
  );
}

function CheckRow({ check }: { check: Check }) {
  return (
    <li className="health-row">
      <span className="health-name">
        <ToneMark tone={check.tone} />
        <b>{check.name}</b>
      </span>
      <span className="min-w-0">
        <span className="block">{check.said}</span>
        {check.remedy === undefined ? null : <span className="block text-ink-2">{check.remedy}</span>}
      </span>
    </li>
  );
}

/** Since when this server is the database; a person who looks for missing work has to know it. */
function ServerLine({ health }: { health: Health }) {
  if (health.generation === undefined) return null;
  const { reason, began_at } = health.generation;
  return (
    <p className="mt-1.5 flex items-center gap-1.5 text-ink-3">
      <Icon name="database" size={13} />
      <span>
        {reasonWords[reason]} Since <Clock at={began_at} />, <Ago at={began_at} />.
      </span>
    </p>
  );
}
