// Runs of a plan: how each stands, and the way to it in the yard.
import { Aspect } from "@/components/ui/aspect";
import { Link } from "@/components/ui/link";
import { Ago } from "@/components/ui/time";
import type { PlanRunLine } from "@/server/contract/plan/plan-sheet";
import { runWords } from "./plan-words";

export function RunLines({ base, runs }: { base: string; runs: readonly PlanRunLine[] }) {
  return (
    <ul>
      {runs.map((run) => (
        <li key={run.plan_run_id} className="flex items-start gap-2 py-1">
          <Aspect status={run.status} className="mt-1" label={run.status} />
          <div className="min-w-0 flex-1">
            <Link href={`${base}?run=${run.root_turn_id}`} className="flex min-h-6 items-center hover:underline">
              {runWords(run)}
            </Link>
            <span className="flex min-h-6 flex-wrap items-center gap-x-2 text-ink-3 text-note">
              <span>
                version {run.version}, <Ago at={run.created_at} />
              </span>
              {run.held_count === 0 ? null : (
                <Link href={`${base}/inbox?view=people`} className="flex min-h-6 items-center underline">
                  Decide in the inbox
                </Link>
              )}
            </span>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** The newest last runs as lamps. */
export function RunLamps({ runs }: { runs: readonly PlanRunLine[] }) {
  if (runs.length === 0) return <span className="text-ink-3">not launched</span>;
  const said = runs.map((run) => `${run.status}, ${runWords(run)}`).join("; ");
  return (
    <span role="img" aria-label={`Last runs: ${said}`} title={said} className="flex gap-1">
      {runs.map((run) => (
        <Aspect key={run.plan_run_id} status={run.status} size={13} label={null} />
      ))}
    </span>
  );
}
