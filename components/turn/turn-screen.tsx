"use client";

// The page of one turn: who it is, its steps on one time scale, and of the chosen step what the model was sent beside what it
// answered. What it is part of stands at the side.
import { useRouter } from "next/navigation";
import { parseAsInteger, useQueryState } from "nuqs";
import { AlarmNote, useAreAlarmsKnown } from "@/components/domain/alarm-note";
import { Failure } from "@/components/domain/failure";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { useShortcut } from "@/components/ui/shortcuts";
import { useTabTitle } from "@/components/ui/tab-title";
import { useNow } from "@/components/ui/use-now";
import { isEnded } from "@/server/contract/turn";
import type { TurnSheet } from "@/server/contract/turn-sheet";
import { ChainBar } from "./chain-bar";
import { compareHref, PageHead } from "./page-head";
import { StepPane } from "./step-pane";
import { TurnFacts } from "./turn-facts";
import { TurnSkeleton } from "./turn-skeleton";
import { turnTitle } from "./turn-view";
import { useTurnSheet } from "./use-turn-sheet";
import { Waterfall } from "./waterfall";
import "./step.css";
import "./turn-page.css";
import { formatNumber } from "@/components/ui/format";

export type TurnScreenProps = { projectId: string; agentTurnId: string };

export function TurnScreen({ projectId, agentTurnId }: TurnScreenProps) {
  const { sheet, isLive } = useTurnSheet(projectId, agentTurnId);
  const areAlarmsKnown = useAreAlarmsKnown(projectId, agentTurnId);
  if (sheet.data && areAlarmsKnown) return <LoadedTurn projectId={projectId} sheet={sheet.data} isLive={isLive} />;
  if (!sheet.error || sheet.data) return <TurnSkeleton />;
  return (
    <Failure
      error={sheet.error}
      what="turn"
      name={agentTurnId}
      onRetry={sheet.refetch}
      way={
        <Link className="btn" href={`/p/${encodeURIComponent(projectId)}`}>
          To the yard
        </Link>
      }
    />
  );
}

const group = "Turn";

function LoadedTurn({ projectId, sheet, isLive }: { projectId: string; sheet: TurnSheet; isLive: boolean }) {
  const router = useRouter();
  const now = useNow();
  const [ordinal, setOrdinal] = useQueryState("step", parseAsInteger);
  const { steps } = sheet;
  // Without a choice the newest: while the turn runs, one looks over its shoulder.
  const found = ordinal === null ? steps.length - 1 : steps.findIndex((step) => step.ordinal === ordinal);
  const step = steps[found];
  const base = `/p/${encodeURIComponent(projectId)}`;
  const open = (id: string | undefined) => {
    if (id !== undefined) router.push(`${base}/turns/${encodeURIComponent(id)}`);
  };
  const go = (by: 1 | -1) => {
    const next = steps[Math.min(steps.length - 1, Math.max(0, (found < 0 ? steps.length : found) + by))];
    if (next) void setOrdinal(next.ordinal);
  };
  const yard = `${base}?run=${sheet.root_turn_id}&turn=${sheet.agent_turn_id}`;
  const callee = sheet.callees[0];
  const hasSteps = steps.length > 1;
  useShortcut([".", "j"], "Next step", () => go(1), { group, isEnabled: hasSteps });
  useShortcut([",", "k"], "Step before", () => go(-1), { group, isEnabled: hasSteps });
  useShortcut("]", "Next turn of the run", () => open(sheet.next), { group, isEnabled: sheet.next !== undefined });
  useShortcut("[", "Previous turn", () => open(sheet.previous), { group, isEnabled: sheet.previous !== undefined });
  useShortcut("i", "Caller", () => open(sheet.parent_turn_id), {
    group,
    isEnabled: sheet.parent_turn_id !== undefined,
  });
  useShortcut("o", "First turn it called", () => open(callee?.agent_turn_id), {
    group,
    isEnabled: callee !== undefined,
  });
  useShortcut(
    "b",
    "Open its context box",
    () => router.push(`${base}/boxes/${encodeURIComponent(sheet.context_box_id)}`),
    {
      group,
    },
  );
  useShortcut(
    "h",
    "Its hand-over",
    () => router.push(`${base}/turns/${encodeURIComponent(sheet.agent_turn_id)}/handover`),
    { group, isEnabled: !sheet.is_human },
  );
  useShortcut("d", "Compare its run with another", () => router.push(compareHref(projectId, sheet)), { group });
  useShortcut("esc", "Back to the yard", () => router.push(yard), { group });
  useTabTitle(
    `${sheet.headcode} ${turnTitle(sheet)}`,
    ordinal === null || step === undefined ? undefined : `Step ${step.ordinal}`,
    sheet.run && `Run ${formatNumber(sheet.run.number)}`,
  );
  return (
    <div className="turn-screen">
      <PageHead projectId={projectId} sheet={sheet} now={now} step={step} isLive={isLive} />
      <AlarmNote projectId={projectId} subjectId={sheet.agent_turn_id} />
      <div className="turn-body">
        <section className="turn-main" aria-label="Steps and their requests">
          <ChainBar projectId={projectId} sheet={sheet} />
          {steps.length === 0 ? (
            <NoSteps sheet={sheet} base={base} />
          ) : (
            <>
              <Waterfall sheet={sheet} now={now} chosen={step?.ordinal} onChoose={(next) => void setOrdinal(next)} />
              {step === undefined ? (
                <EmptyState
                  title={`No step ${ordinal}`}
                  cause={`${sheet.headcode} has taken ${steps.length} so far, counted from ${steps[0]?.ordinal}. Choose one above.`}
                />
              ) : (
                <StepPane key={step.step_id} projectId={projectId} sheet={sheet} step={step} now={now} />
              )}
            </>
          )}
        </section>
        <TurnFacts projectId={projectId} sheet={sheet} now={now} />
      </div>
    </div>
  );
}

function NoSteps({ sheet, base }: { sheet: TurnSheet; base: string }) {
  const { is_human: isHuman, output_box_id } = sheet;
  const isImport = sheet.primitive === "import" || sheet.run?.source === "import";
  const cause = isHuman
    ? "This turn is a person's action. What it started is listed beside it."
    : isImport
      ? "This log contains messages only. It has no model calls."
      : isEnded(sheet.status)
        ? "It ended before its first model call."
        : "Not started. The first step appears here when a worker has claimed the turn.";
  return (
    <EmptyState
      title={isHuman ? "A person's turn" : "No steps"}
      cause={cause}
      remedy={
        output_box_id !== undefined && sheet.output_cards > 0 ? (
          <Link className="btn" href={`${base}/boxes/${encodeURIComponent(output_box_id)}`}>
            What it wrote
          </Link>
        ) : undefined
      }
    />
  );
}
