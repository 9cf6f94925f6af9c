"use client";

// What an agent asks of people: who asks and how it came to that, what it wants to know or do, and the ways to decide. Shown
// in the inbox and at the turn; decided, it says by whom and what.
import { Fragment, type ReactNode, useState } from "react";
import { AgentMark } from "@/components/ui/agent-mark";
import { ArgumentsDiff, argumentsText } from "@/components/ui/arguments-edit";
import { Button } from "@/components/ui/button";
import { HumanMark } from "@/components/ui/human-mark";
import { Icon } from "@/components/ui/icon";
import { KindMark } from "@/components/ui/kind-mark";
import { Link } from "@/components/ui/link";
import { MarkdownView } from "@/components/ui/markdown-view";
import { Plate } from "@/components/ui/plate";
import { Ago } from "@/components/ui/time";
import { useNow } from "@/components/ui/use-now";
import { decisionWords, type HumanRequest, type HumanRequestLine } from "@/server/contract/human-request";
import { AnswerForm, ApprovalForm } from "./decide-forms";
import { HoldForm } from "./hold-form";
import { useDecide } from "./use-decide";
import "./human-request.css";
import { userOf } from "@/server/contract/ids";

export type HumanRequestCardProps = {
  projectId: string;
  line: HumanRequestLine;
  /** `panel`: at the turn itself, which says who asks. */
  variant: "page" | "panel";
  /** Somebody has begun to decide, or has decided. */
  onTouch?: (isTouched: boolean) => void;
};

export function HumanRequestCard({ projectId, line, variant, onTouch }: HumanRequestCardProps) {
  const [isTouched, setIsTouched] = useState(false);
  const touch = (is: boolean) => {
    setIsTouched(is);
    onTouch?.(is);
  };
  const deciding = useDecide(projectId, line, touch);
  const { decided, isPending } = deciding;
  const request: HumanRequest = deciding.conflict ?? decided ?? line;
  const isOpen = request.status === "open";
  const isLate = isTouched && !isOpen && decided === undefined && !isPending;
  return (
    <article
      className="human-request"
      data-variant={variant}
      data-status={request.status}
      aria-label={labelOf(line)}
      onInput={isOpen ? () => touch(true) : undefined}
    >
      {variant === "page" ? <Asker projectId={projectId} line={line} /> : <Times line={line} />}
      <Asked line={line} as={variant === "page" ? "h2" : "h3"} />
      {isLate ? (
        <div role="alert" className="human-request-conflict">
          <Icon name="person" size={15} className="mt-0.5 flex-none" />
          <div className="min-w-0 flex-1">
            <p className="font-semibold">{sentence(request)} while you were deciding</p>
            <p className="text-ink-2">Your answer was not sent. Your text is still here.</p>
          </div>
          <Button size="sm" onClick={() => touch(false)}>
            Seen
          </Button>
        </div>
      ) : null}
      {isOpen || isLate ? (
        line.kind === "question" ? (
          <AnswerForm line={line} deciding={deciding} isOver={!isOpen} variant={variant} />
        ) : line.kind === "plan_hold" ? (
          <HoldForm deciding={deciding} isOver={!isOpen} />
        ) : (
          <ApprovalForm line={line} deciding={deciding} isOver={!isOpen} />
        )
      ) : null}
      {isOpen ? null : <Decided request={request} />}
    </article>
  );
}

function Asker({ projectId, line }: Pick<HumanRequestCardProps, "projectId" | "line">) {
  const { turn, chain } = line;
  const base = `/p/${encodeURIComponent(projectId)}`;
  const at = (link: { agent_turn_id: string }) => `${base}?run=${turn.root_turn_id}&turn=${link.agent_turn_id}`;
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <Link
        data-row
        href={at(turn)}
        className="flex min-h-6 min-w-0 items-center gap-1.5 hover:underline"
        title={turn.title}
      >
        <AgentMark agentId={turn.agent_id} profile={turn.profile_name} size={18} />
        <b dir="auto" className="truncate">
          {turn.profile_name}
        </b>
        <Plate code={turn.headcode} />
      </Link>
      {chain.length < 2 ? null : (
        <p className="flex min-h-6 min-w-0 flex-wrap items-center gap-1.5 text-ink-3">
          <span className="sr-only">Chain from the person:</span>
          {chain.slice(0, -1).map((link) => (
            <Fragment key={link.agent_turn_id}>
              <Link
                href={at(link)}
                className="flex items-center gap-1 hover:underline"
                title={link.display_name ?? link.profile_name}
              >
                {link.is_human ? (
                  <HumanMark name={userOf(link.agent_id)} size={16} />
                ) : (
                  <Plate code={link.headcode} tone="bare" />
                )}
              </Link>
              <Icon name="right" size={12} />
            </Fragment>
          ))}
          <Plate code={turn.headcode} tone="bare" />
        </p>
      )}
      <span className="flex-1" />
      <Times line={line} />
    </header>
  );
}

function Times({ line }: { line: HumanRequestLine }) {
  const now = useNow();
  const left = line.deadline_at === undefined || now === 0 ? null : Date.parse(line.deadline_at) - now;
  return (
    <p className="flex flex-none flex-wrap items-center gap-x-3 text-ink-3 text-note">
      <span>
        asked <Ago at={line.created_at} />
      </span>
      {line.status !== "open" ? null : line.deadline_at === undefined ? (
        <span>no deadline</span>
      ) : left === null ? null : (
        <span className={left < URGENT_MS ? "font-semibold text-st-partial" : undefined}>
          {left <= 0 ? "its time is over" : `${inWords(left)} left`}
        </span>
      )}
    </p>
  );
}
const URGENT_MS = 60_000;

function Asked({ line, as: Heading }: { line: HumanRequestLine; as: "h2" | "h3" }) {
  if (line.kind === "approval")
    return (
      <Heading className="flex flex-wrap items-center gap-1.5 text-title">
        <Icon name="shield" size={16} className="text-ink-2" />
        May it call <span className="mono text-[13px]">{line.tool_name}</span>?
      </Heading>
    );
  return (
    <div className="flex flex-col gap-2">
      <Heading className="flex items-start gap-1.5 text-title">
        <KindMark kind="ask" size={16} label={null} className="mt-0.5 flex-none text-ink-2" />
        <span dir="auto" className="min-w-0 whitespace-pre-wrap break-words">
          {line.question?.question}
        </span>
      </Heading>
      {line.question?.details === undefined ? null : (
        // No landmark: ten that are all called the same lead nowhere.
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard.
        <div role="group" className="human-request-details" aria-label="Details" tabIndex={0}>
          <MarkdownView text={line.question.details} />
        </div>
      )}
    </div>
  );
}

function Decided({ request }: { request: HumanRequest }) {
  const { status, decided_by, decided_at, answer, reason } = request;
  return (
    <div className="flex flex-col gap-2">
      <p className="flex flex-wrap items-center gap-1.5">
        {decided_by === undefined ? (
          <Icon name={status === "expired" ? "clock" : "stop"} size={14} />
        ) : (
          <HumanMark name={decided_by} size={16} />
        )}
        <b>{sentence(request)}</b>
        {decided_at === undefined ? null : <Ago at={decided_at} className="text-ink-3" />}
      </p>
      {answer === undefined ? null : <Said>{answer}</Said>}
      {reason === undefined ? null : <Said>{reason}</Said>}
      {request.kind !== "approval" ? null : request.edited_arguments === undefined ? (
        <pre className="human-request-arguments">{argumentsText(request.arguments)}</pre>
      ) : (
        <ArgumentsDiff before={request.arguments} after={request.edited_arguments} />
      )}
    </div>
  );
}

const Said = ({ children }: { children: ReactNode }) => (
  <blockquote className="whitespace-pre-wrap break-words border-line-2 border-l-2 pl-2.5">{children}</blockquote>
);

const labelOf = ({ kind, turn, tool_name, question }: HumanRequestLine): string =>
  kind === "approval"
    ? `${turn.profile_name} ${turn.headcode} asks to call ${tool_name}`
    : `${turn.profile_name} ${turn.headcode} asks: ${question?.question ?? ""}`;

/** A name is written as its bearer writes it. */
function sentence(request: HumanRequest): string {
  const words = decisionWords(request);
  return request.decided_by === undefined ? words.slice(0, 1).toUpperCase() + words.slice(1) : words;
}

function inWords(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
