"use client";

// Beside the YAML: what the plan asks for, its versions, and its runs.
import { usePathname } from "next/navigation";
import { formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { Ago } from "@/components/ui/time";
import type { PlanSheet } from "@/server/contract/plan/plan-sheet";
import { isRequired } from "./plan-words";
import { RunLines } from "./run-lines";

export function PlanFacts({ base, plan }: { base: string; plan: PlanSheet }) {
  const pathname = usePathname();
  const { shown, versions, runs } = plan;
  return (
    <aside className="sheet-facts" aria-label="Facts about the plan">
      <Section title="Inputs" note={formatNumber(shown.inputs.length)}>
        {shown.inputs.length === 0 ? (
          <p className="text-ink-3">It asks for nothing.</p>
        ) : (
          <ul>
            {shown.inputs.map((input) => (
              <li key={input.name} className="py-0.5">
                <span className="mono">{input.name}</span>{" "}
                <span className="text-ink-3">
                  {input.kind}
                  {isRequired(input) ? "" : ", optional"}
                </span>
                {input.description === "" ? null : (
                  <span dir="auto" className="block text-ink-2">
                    {input.description}
                  </span>
                )}
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title="Runs" note={runs.length === 0 ? undefined : "the newest first"}>
        {runs.length === 0 ? <p className="text-ink-3">None yet.</p> : <RunLines base={base} runs={runs} />}
      </Section>
      <Section title="Versions" note={formatNumber(versions.length)}>
        <ul>
          {versions.map((version) => (
            <li key={version.version}>
              <Link
                href={version.version === plan.head_version ? pathname : `${pathname}?v=${version.version}`}
                aria-current={version.version === shown.version ? "true" : undefined}
                className="-mx-1 flex min-h-7 items-baseline gap-2 rounded-1 px-1 hover:bg-raise aria-[current]:bg-raise max-sm:min-h-11 max-sm:items-center"
              >
                <span className="w-6 flex-none text-right">{version.version}</span>
                <span dir="auto" className="min-w-0 flex-1 truncate text-ink-2">
                  {version.message || version.created_by}
                </span>
                <span className="flex-none text-ink-3">
                  <Ago at={version.created_at} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </Section>
    </aside>
  );
}
