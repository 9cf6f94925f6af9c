"use client";

// One step: what the model was sent on the left, what it answered on the right.
import { useQuery } from "@tanstack/react-query";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { Failure } from "@/components/domain/failure";
import { useTRPCClient } from "@/components/trpc/client";
import { patient } from "@/components/trpc/patient";
import { formatBytes, formatNumber } from "@/components/ui/format";
import { Segmented } from "@/components/ui/segmented";
import { SkeletonRows } from "@/components/ui/skeleton";
import { isEnded, type Step } from "@/server/contract/turn";
import type { StepSheet, TurnSheet } from "@/server/contract/turn-sheet";
import { AnswerView } from "./answer-view";
import { RequestView } from "./request-view";
import { WireView } from "./wire-view";

export type StepPaneProps = { projectId: string; sheet: TurnSheet; step: Step; now: number };

/** Shared with the fork dialog, which asks for the same step. */
export function useStepSheet(projectId: string, sheet: TurnSheet, step: Step) {
  const client = useTRPCClient();
  const { agent_turn_id } = sheet;
  const { step_id } = step;
  // A step grows with its turn: its results may come after it has ended.
  const version = isEnded(sheet.status) ? "ended" : sheet.rev;
  return useQuery<StepSheet>({
    queryKey: ["turn step", projectId, agent_turn_id, step_id, version],
    queryFn: ({ signal }) => client.turn.step.query({ project_id: projectId, agent_turn_id, step_id }, { signal }),
    placeholderData: (before) => (before?.step_id === step_id ? before : undefined),
    ...patient,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}

export function StepPane({ projectId, sheet, step, now }: StepPaneProps) {
  const [view, setView] = useQueryState("view", parseAsStringLiteral(["model", "wire"]).withDefault("model"));
  const found = useStepSheet(projectId, sheet, step);
  const request = found.data?.request;
  const at = sheet.steps.findIndex((one) => one.step_id === step.step_id);
  return (
    <div className="step-columns">
      <section className="step-column" aria-label="What the model was sent">
        <header className="step-bar">
          <h2 className="font-semibold">
            Step {step.ordinal}
            <span className="font-[450] text-ink-3"> of {sheet.steps.length}, what the model saw</span>
          </h2>
          <span className="flex-1" />
          <Segmented
            label="How the request is shown"
            value={view}
            onChange={(next) => void setView(next === "model" ? null : next)}
            choices={[
              { value: "model", label: "As the model sees it" },
              {
                value: "wire",
                label: request?.bytes === undefined ? "On the wire" : `On the wire, ${formatBytes(request.bytes)}`,
              },
            ]}
          />
        </header>
        {found.error && !found.data ? (
          <Failure size="panel" error={found.error} what="step" onRetry={found.refetch} />
        ) : found.data === undefined ? (
          <SkeletonRows count={8} rowHeight={44} label="Loading the request" />
        ) : request === undefined ? (
          <p className="px-4 py-4 text-ink-2">
            No request recorded for this step: the worker did not report what it sent.
          </p>
        ) : view === "wire" ? (
          <WireView projectId={projectId} agentTurnId={sheet.agent_turn_id} ordinal={step.ordinal} request={request} />
        ) : (
          <RequestView
            projectId={projectId}
            agentTurnId={sheet.agent_turn_id}
            stepId={step.step_id}
            request={request}
          />
        )}
      </section>
      <section className="step-column" aria-label="What it answered">
        <header className="step-bar">
          <h2 className="font-semibold">What it answered</h2>
          <span className="flex-1" />
          <span className="text-ink-3">
            {found.data && found.data.answer.calls.length > 0
              ? `${formatNumber(found.data.answer.calls.length)} ${found.data.answer.calls.length === 1 ? "call" : "calls"}`
              : ""}
          </span>
        </header>
        <AnswerView
          projectId={projectId}
          sheet={sheet}
          step={step}
          answer={found.data?.answer}
          now={now}
          isLast={at === sheet.steps.length - 1}
        />
      </section>
    </div>
  );
}
