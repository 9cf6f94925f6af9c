"use client";

// The run itself, while no turn is selected: where it comes from, and what an import says about it.
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { FactLines } from "@/components/ui/facts";
import { formatCompact, formatCost, formatCount, formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { plainWords } from "@/components/ui/plain-words";
import { Plate } from "@/components/ui/plate";
import { Section } from "@/components/ui/section";
import { Ago } from "@/components/ui/time";
import type { RunFrame } from "@/server/contract/frame";
import { RunPlans } from "./run-plans";
import { heldTitle, reportedTitle, runStats, sourceWords } from "./run-stats";
import { useRun } from "./use-run";
import { useTopology, useTurns, useYard } from "./yard-context";

export function RunPanel() {
  const { projectId } = useYard();
  const { scope } = useTopology();
  const run = useRun(scope);
  const turns = useTurns();
  const stats = runStats(turns);
  const reported = turns.reduce((sum, turn) => sum + turn.tokens_in + turn.tokens_out, 0);
  const ofAgents = turns.filter((turn) => !turn.is_human);
  const agents = new Set(ofAgents.map((turn) => turn.agent_id)).size;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <header className="px-4 pt-3.5 pb-3">
        <p className="text-ink-3">
          {run ? `Run ${run.number}, ${sourceWords[run.source]}` : "Every run of this project"}
        </p>
        <h2 dir="auto" className="mt-1 text-title">
          {run ? plainWords(run.title) : "All runs"}
        </h2>
      </header>
      <Section>
        <FactLines
          facts={[
            ...(run ? [{ name: hasTimes(run) ? "Started" : "Imported", value: <Ago at={run.created_at} /> }] : []),
            { name: "Turns", value: formatNumber(turns.length) },
            { name: "Agents", value: formatNumber(agents) },
            {
              name: "Held",
              value: <span title={heldTitle}>{formatCompact(stats.tokens)} tokens, all turns added up</span>,
            },
            {
              name: "Reported",
              value: (
                <span title={reportedTitle}>
                  {reported === 0 && run?.source === "import"
                    ? "nothing, the file has no figures"
                    : `${formatCompact(reported)} tokens in and out`}
                </span>
              ),
            },
            ...(stats.cost === null ? [] : [{ name: "Cost", value: costWords(stats.cost, stats.unpriced) }]),
          ]}
        />
      </Section>
      {run ? <Imported run={run} /> : null}
      <Section>
        <p className="text-ink-3">Select a turn to see its context, its steps and its result.</p>
      </Section>
      {run && run.source !== "import" ? <RunPlans projectId={projectId} root_turn_id={run.root_turn_id} /> : null}
    </div>
  );
}

/** The times of a log are made up at its import. */
const hasTimes = ({ metadata }: RunFrame): boolean => metadata.times !== "synthetic";

/** A sum that leaves turns out says so. */
const costWords = (cost: number, unpriced: number): string =>
  unpriced === 0 ? formatCost(cost) : `${formatCost(cost)}, ${formatCount(unpriced, "turn")} without a price`;

function Imported({ run }: { run: RunFrame }) {
  const { metadata } = run;
  const text = (key: string): string | undefined => {
    const value = metadata[key];
    return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
  };
  const rows: { name: string; value: ReactNode }[] = [
    ["Question", text("question")],
    ["Expected", text("ground_truth")],
    ["File", text("file_name")],
    ["Format", text("format")],
  ].flatMap(([name, value]) => (name && value ? [{ name, value }] : []));
  return (
    <>
      {rows.length === 0 ? null : (
        <Section title="From the file">
          <FactLines facts={rows} labelWidth={84} />
        </Section>
      )}
      <Mistake agent={text("mistake_agent")} step={text("mistake_step")} reason={text("mistake_reason")} />
    </>
  );
}

type MistakeProps = { agent: string | undefined; step: string | undefined; reason: string | undefined };

function Mistake({ agent, step, reason }: MistakeProps) {
  const { select } = useYard();
  const marked = useTurns().find((turn) => turn.mark !== undefined);
  if (reason === undefined && marked === undefined) return null;
  return (
    <Section title="The marked mistake" note={step === undefined ? undefined : `step ${step}`}>
      <div className="flex gap-2 text-ink-2">
        <Icon name="flag" size={15} className="mt-px text-st-failed" />
        <div className="min-w-0">
          {agent === undefined ? null : <b className="text-ink">{agent}</b>}
          <p className="leading-[1.45]">{reason ?? marked?.mark?.reason}</p>
          {marked ? (
            <Button size="sm" className="mt-2" onClick={() => select(marked.agent_turn_id)}>
              Go to <Plate code={marked.headcode} />
            </Button>
          ) : null}
        </div>
      </div>
    </Section>
  );
}
