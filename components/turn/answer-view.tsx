"use client";

// What came back: the words, as they come while the model speaks; the calls it made, each with its result; what it cost.
import type { ReactNode } from "react";
import { Artifacts } from "@/components/domain/artifacts";
import { NoCost } from "@/components/domain/no-cost";
import { useTRPCClient } from "@/components/trpc/client";
import { Aspect } from "@/components/ui/aspect";
import { FactColumns } from "@/components/ui/facts";
import { formatCost, formatDuration, formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import type { AspectStatus } from "@/components/ui/sign-words";
import { SkeletonRows } from "@/components/ui/skeleton";
import { contentText } from "@/server/contract/card";
import { noCostWords } from "@/server/contract/tokens";
import { isEnded, type Step } from "@/server/contract/turn";
import type { StepCall, StepSheet, TurnSheet } from "@/server/contract/turn-sheet";
import { LongText } from "./long-text";
import { isData } from "./step-view";
import { useThinking } from "./use-thinking";

export type AnswerViewProps = {
  projectId: string;
  sheet: TurnSheet;
  step: Step;
  answer: StepSheet["answer"] | undefined;
  now: number;
  isLast: boolean;
};

export function AnswerView({ projectId, sheet, step, answer, now, isLast }: AnswerViewProps) {
  const client = useTRPCClient();
  const isOpen = step.status === "started" && !isEnded(sheet.status);
  const cards = `/p/${encodeURIComponent(projectId)}/cards/`;
  const load = (card_id: string) => async () =>
    contentText((await client.card.get.query({ project_id: projectId, card_id })).content);
  const isSilent =
    answer !== undefined &&
    answer.thought === undefined &&
    answer.calls.length === 0 &&
    answer.others.length === 0 &&
    answer.deliverable === undefined;
  return (
    <div className="step-scroll">
      <StepFigures step={step} now={now} isOpen={isOpen} />
      {step.error === undefined ? null : (
        <p className="flex gap-2 border-line border-t px-4 py-3" role="note">
          <Icon name="warn" size={15} className="mt-px flex-none text-st-failed" />
          <span className="min-w-0 break-words">
            <b>The step failed.</b>{" "}
            <span dir="auto" className="text-ink-2">
              {step.error}
            </span>
          </span>
        </p>
      )}
      {isOpen && isLast && answer?.thought === undefined ? (
        <Speaking projectId={projectId} sheet={sheet} step={step} />
      ) : null}
      {answer === undefined ? <SkeletonRows count={4} rowHeight={44} label="Loading the answer" /> : null}
      {answer?.thought === undefined || (answer.thought.text === "" && answer.calls.length > 0) ? null : (
        <Block name="agent.thought" href={cards + answer.thought.card_id} tokens={answer.thought.tokens}>
          <LongText {...answer.thought} label="What it said" lines={18} load={load(answer.thought.card_id)} />
        </Block>
      )}
      {answer?.calls.map((call) => (
        <Call
          key={call.tool_call_id}
          call={call}
          cards={cards}
          load={load}
          projectId={projectId}
          sheet={sheet}
          isOpen={isOpen}
        />
      ))}
      {answer?.others.map((other) => (
        <Block key={other.card_id} name={other.type} href={cards + other.card_id}>
          <LongText {...other} label={other.type} lines={6} load={load(other.card_id)} />
        </Block>
      ))}
      {answer?.deliverable === undefined || step.error !== undefined ? null : (
        <Block name="task.deliverable" href={cards + answer.deliverable.card_id} tokens={answer.deliverable.tokens}>
          <LongText
            {...answer.deliverable}
            label="What it delivered"
            lines={18}
            isMono={isData(answer.deliverable.text)}
            isMarkdown={!isData(answer.deliverable.text)}
            load={load(answer.deliverable.card_id)}
          />
        </Block>
      )}
      {isSilent && !isOpen && step.error === undefined ? (
        <p className="border-line border-t px-4 py-3 text-ink-3">No cards in this step.</p>
      ) : null}
    </div>
  );
}

function StepFigures({ step, now, isOpen }: { step: Step; now: number; isOpen: boolean }) {
  const { usage, request_tokens: estimated } = step;
  const ms =
    step.ended_at !== undefined
      ? Date.parse(step.ended_at) - Date.parse(step.started_at)
      : isOpen && now > 0
        ? Math.floor((now - Date.parse(step.started_at)) / 1000) * 1000
        : null;
  const none = <span className="font-[450] text-ink-3">-</span>;
  const number = (value: number | undefined) => (value === undefined ? none : formatNumber(value));
  return (
    <div className="px-4 py-3">
      <FactColumns
        facts={[
          { name: "In, est.", value: number(estimated) },
          { name: "In, reported", value: number(usage?.input_tokens) },
          ...(usage?.cached_input_tokens === undefined
            ? []
            : [{ name: "Cached", value: number(usage.cached_input_tokens) }]),
          ...(usage?.cache_write_tokens === undefined
            ? []
            : [{ name: "Cache write", value: number(usage.cache_write_tokens) }]),
          { name: "Out", value: number(usage?.output_tokens) },
          ...(usage?.reasoning_tokens === undefined
            ? []
            : [{ name: "Reasoning", value: number(usage.reasoning_tokens) }]),
          {
            name: "Cost",
            value:
              step.cost === undefined ? (
                <NoCost why={noCostWords(step) ?? "No cost reported yet"} />
              ) : (
                formatCost(step.cost)
              ),
          },
          { name: "Took", value: ms === null ? none : formatDuration(Math.max(0, ms)) },
        ]}
      />
    </div>
  );
}

function Speaking({ projectId, sheet, step }: { projectId: string; sheet: TurnSheet; step: Step }) {
  const said = useThinking(projectId, sheet.agent_turn_id, true);
  const isOurs = said.step_id === step.step_id;
  return (
    <section className="step-speaking" aria-label="The model's answer so far" aria-live="off">
      <p className="flex items-center gap-2 text-ink-2">
        <Aspect status="running" size={14} label={null} />
        {isOurs && said.text !== "" ? "Writing" : (sheet.note ?? "Thinking")}
      </p>
      {isOurs && said.reasoning !== "" ? (
        <p dir="auto" className="step-text mt-2 text-ink-3">
          {said.reasoning}
        </p>
      ) : null}
      {isOurs && said.text !== "" ? (
        <p dir="auto" className="step-text mt-2">
          {said.text}
          <i aria-hidden className="step-caret" />
        </p>
      ) : null}
    </section>
  );
}

type CallProps = {
  call: StepCall;
  cards: string;
  load: (card_id: string) => () => Promise<string>;
  projectId: string;
  sheet: TurnSheet;
  isOpen: boolean;
};

function Call({ call, cards, load, projectId, sheet, isOpen }: CallProps) {
  const { result } = call;
  const isWaiting = result === undefined && !isEnded(sheet.status);
  const status: AspectStatus =
    result === undefined ? (isWaiting ? (isOpen ? "running" : "suspended") : "canceled") : aspectOf(result.status);
  return (
    <article className="step-block">
      <header className="flex items-center gap-2">
        <Aspect status={status} size={14} />
        <span className="mono min-w-0 truncate font-semibold" title={call.tool_call_id}>
          {call.tool_name}
        </span>
        <span className="flex-1" />
        {call.card_id === undefined ? null : (
          <Link
            className="link text-note"
            href={cards + call.card_id}
            aria-label={`Card of the call of ${call.tool_name}`}
          >
            Call
          </Link>
        )}
        {result === undefined ? null : (
          <Link
            className="link text-note"
            href={cards + result.card_id}
            aria-label={`Card of the result of ${call.tool_name}`}
          >
            Result
          </Link>
        )}
        <b className="w-11 text-right font-semibold">{result === undefined ? "" : formatNumber(result.tokens)}</b>
      </header>
      <div className="step-well">
        <LongText
          {...call.arguments}
          label={`Arguments of ${call.tool_name}`}
          lines={8}
          isMono
          load={load(call.card_id ?? "")}
        />
      </div>
      {result === undefined ? (
        <p className="mt-2 text-ink-3">{isWaiting ? "No result yet." : "The turn ended before its result came."}</p>
      ) : (
        <div className="step-well" data-role="tool">
          <LongText
            {...result}
            label={`Result of ${call.tool_name}`}
            lines={12}
            isMono={isData(result.text)}
            load={load(result.card_id)}
          />
          <Artifacts projectId={projectId} artifacts={result.artifacts ?? []} />
        </div>
      )}
    </article>
  );
}

function aspectOf(status: string): AspectStatus {
  return status === "failed" || status === "timeout" || status === "canceled" || status === "partial"
    ? status
    : "success";
}

function Block({ name, href, tokens, children }: { name: string; href: string; tokens?: number; children: ReactNode }) {
  return (
    <article className="step-block">
      <header className="mb-1.5 flex items-center gap-2">
        <span className="mono">{name}</span>
        <span className="flex-1" />
        <Link className="link text-note" href={href} aria-label={`Card of ${name}`}>
          Card
        </Link>
        <b className="w-11 text-right font-semibold">{tokens === undefined ? "" : formatNumber(tokens)}</b>
      </header>
      {children}
    </article>
  );
}
