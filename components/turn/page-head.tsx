"use client";

// The head of a turn's page: who it is and its headcode, and how it stands, how full its window is, and what can be done.
import { epochHint } from "@/components/domain/epoch-hint";
import { statusWords } from "@/components/domain/status-words";
import { WindowGauge } from "@/components/domain/window-gauge";
import { AgentMark } from "@/components/ui/agent-mark";
import { Aspect } from "@/components/ui/aspect";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { formatCount, formatDuration } from "@/components/ui/format";
import { Hinted } from "@/components/ui/hinted";
import { HumanMark } from "@/components/ui/human-mark";
import { Link } from "@/components/ui/link";
import { Plate } from "@/components/ui/plate";
import { Clock } from "@/components/ui/time";
import { batchFirstWord } from "@/server/contract/batch-code";
import { parseConsist } from "@/server/contract/consist";
import { gaugeOf, gaugeStep, heldTokens } from "@/server/contract/tokens";
import { isEnded, type Step } from "@/server/contract/turn";
import type { TurnSheet } from "@/server/contract/turn-sheet";
import { AgainDialogs } from "./again-dialogs";
import { StopTurn } from "./stop-turn";
import { ranMs, turnTitle } from "./turn-view";
import { useAgain } from "./use-again";

export type PageHeadProps = {
  projectId: string;
  sheet: TurnSheet;
  step: Step | undefined;
  now: number;
  isLive: boolean;
};

/** The run it is compared with is chosen there; those that it was started again from stand first. */
export const compareHref = (projectId: string, turn: { root_turn_id: string; agent_turn_id: string }): string =>
  `/p/${encodeURIComponent(projectId)}/compare?b=${encodeURIComponent(turn.root_turn_id)}&like=${encodeURIComponent(turn.agent_turn_id)}`;

export function PageHead({ projectId, sheet, step, now, isLive }: PageHeadProps) {
  const { canFork, canRerun, asked, ask, close } = useAgain(sheet, step, "Turn");
  return (
    <header className="turn-head">
      <div className="min-w-0 max-w-110">
        <h1 className="flex min-w-0 items-center gap-1.5 text-h1">
          {sheet.is_human ? (
            <HumanMark name={turnTitle(sheet)} size={18} />
          ) : (
            <AgentMark agentId={sheet.agent_id} profile={sheet.profile_name} size={18} />
          )}
          <span dir="auto" className="truncate">
            {turnTitle(sheet)}
          </span>
          <Plate code={sheet.headcode} tone="ink" title={sheet.agent_turn_id} />
        </h1>
        <Status sheet={sheet} now={now} />
      </div>
      <HeadGauge sheet={sheet} />
      <span className="flex-1" />
      <div className="flex flex-wrap items-center gap-1.5">
        {canFork && step !== undefined ? (
          <Button icon="fork" keys="shift+f" aria-haspopup="dialog" onClick={() => ask("fork")}>
            Fork at step {step.ordinal}
          </Button>
        ) : null}
        {canRerun ? (
          <Button icon="retry" keys="r" aria-haspopup="dialog" onClick={() => ask("rerun")}>
            Run again
          </Button>
        ) : null}
        {isEnded(sheet.status) ? (
          <Link
            className="btn"
            title="Draw a plan with what this turn was given"
            href={`/p/${encodeURIComponent(projectId)}/compose?like=${sheet.agent_turn_id}`}
          >
            Change it, then run again
          </Link>
        ) : null}
        <Link
          className="btn"
          title="Compare this run with the one it was forked from, a repetition of it, or any other (d)"
          href={compareHref(projectId, sheet)}
        >
          Compare with…
        </Link>
        <StopTurn projectId={projectId} turn={sheet} getBelow={() => belowOf(sheet)} />
        <CopyButton text={sheet.agent_turn_id} label="Copy the full id" className="max-sm:hidden" />
      </div>
      <span className="sr-only" role="status">
        {isEnded(sheet.status) ? `The turn has ended: ${sheet.status}.` : isLive ? "The page is live." : ""}
      </span>
      {asked === null ? null : (
        <AgainDialogs projectId={projectId} turn={sheet} step={step} asked={asked} onClose={close} />
      )}
    </header>
  );
}

function Status({ sheet, now }: { sheet: TurnSheet; now: number }) {
  const ran = ranMs(sheet, now);
  const facts = [
    ran === null ? null : formatDuration(isEnded(sheet.status) ? ran : Math.floor(ran / 1000) * 1000),
    sheet.step_count > 0 ? formatCount(sheet.steps.length, "step") : null,
    sheet.attempt > 1 ? `attempt ${sheet.attempt}` : null,
  ].filter((fact) => fact !== null);
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-1.5 text-ink-2">
      <Aspect status={sheet.status} size={15} label={null} />
      <b className="text-ink">{statusWords[sheet.status]}</b>
      <span>
        {facts.map((fact) => `${fact}, `)}
        <Hinted words={`epoch ${sheet.turn_epoch}`} hint={epochHint} />
      </span>
      {sheet.started_at === undefined ? null : (
        <span className="text-ink-3">
          <Clock at={sheet.started_at} />
          {sheet.ended_at === undefined ? null : (
            <>
              {" "}
              to <Clock at={sheet.ended_at} />
            </>
          )}
        </span>
      )}
      {sheet.error === undefined ? null : (
        <span dir="auto" className="min-w-0 basis-full truncate text-st-failed" title={sheet.error}>
          {sheet.error}
        </span>
      )}
    </p>
  );
}

/** The request that weighs most, or the last one while it runs: never the sum of them. */
function HeadGauge({ sheet }: { sheet: TurnSheet }) {
  if (sheet.is_human) return null;
  const gauge = gaugeOf(sheet);
  const step = gauge === null ? undefined : gaugeStep(gauge, sheet.steps);
  return (
    <div className="turn-gauge">
      <WindowGauge
        gauge={gauge}
        window={sheet.window_tokens}
        of={step && `step ${step.ordinal}`}
        reported={step?.usage?.input_tokens}
        cards={boxCards(sheet)}
        held={heldTokens(sheet)}
      />
    </div>
  );
}

/** What it was given, then what it wrote. */
const boxCards = (sheet: TurnSheet) => [
  ...parseConsist(sheet.context_consist),
  ...parseConsist(sheet.output_consist).map((run) => ({ ...run, faded: true })),
];

function belowOf(sheet: TurnSheet) {
  const running = new Map(
    sheet.running.map(({ batch, number, held }) => [
      batch.batch_id,
      { batch, name: batchFirstWord({ number, tool_name: batch.tool_name }), held },
    ]),
  );
  const { branch } = sheet;
  return {
    below: sheet.below,
    running,
    branchOf:
      branch?.batch.status === "running"
        ? {
            batch: branch.batch,
            name: batchFirstWord({ ...branch.batch, number: branch.number }),
            caller: branch.caller,
            others: branch.others,
          }
        : null,
  };
}
