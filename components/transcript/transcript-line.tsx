"use client";

// One line of a transcript: who said it to whom, when, and the text. A tool's call and its result are folded to one line.
import { memo, useState } from "react";
import { isPerson, personName } from "@/components/domain/agent-names";
import { MarkedWords } from "@/components/domain/marked-words";
import { AgentMark } from "@/components/ui/agent-mark";
import { Aspect } from "@/components/ui/aspect";
import { HumanMark } from "@/components/ui/human-mark";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { Plate } from "@/components/ui/plate";
import { Clock } from "@/components/ui/time";
import type { TranscriptLine as Line } from "@/server/contract/answers/transcript";
import { LineText } from "./line-text";
import { isFoldedLine, lineWords, roleOf, spokenLine } from "./line-words";
import { turnOf } from "./lines";

export type TranscriptLineProps = {
  projectId: string;
  line: Line;
  index: number;
  /** Of the run; unknown while a live run grows would be -1. */
  total: number;
  /** That were searched for. */
  words: string;
  profileOf: (agentId: string) => string | undefined;
  hasTimes: boolean;
  isChosen: boolean;
  /** Of the turn that is selected. */
  isLit: boolean;
  isContinued: boolean;
  isStop: boolean;
  onChoose: (line: Line) => void;
};

export const TranscriptLine = memo(function TranscriptLine(props: TranscriptLineProps) {
  const { projectId, line, index, total, words, profileOf, hasTimes, isChosen, isLit, isContinued, isStop, onChoose } =
    props;
  const name = spokenLine(line);
  const isTool = isFoldedLine(line);
  return (
    <article
      aria-label={name}
      aria-posinset={index + 1}
      aria-setsize={total}
      aria-current={isChosen || undefined}
      tabIndex={isStop ? 0 : -1}
      data-line={line.line_id}
      data-kind={line.kind}
      data-lit={isLit || undefined}
      data-wrong={line.mistake !== undefined || line.kind === "failed" || undefined}
      data-continued={isContinued || undefined}
      className="transcript-line"
      onFocus={(event) => {
        if (event.target === event.currentTarget) onChoose(line);
      }}
    >
      <i aria-hidden className="role-fill line-role" data-role={roleOf(line)} />
      {isTool ? (
        <ToolLine {...props} name={name} />
      ) : (
        <>
          <header className="line-head">
            <Mark line={line} profileOf={profileOf} />
            <Words line={line} />
            <Plates projectId={projectId} line={line} isStop={isStop} />
            <span className="flex-1" />
            <When line={line} hasTimes={hasTimes} />
          </header>
          <div className="line-body">
            <LineText projectId={projectId} line={line} name={name} words={words} />
            {line.mistake === undefined ? null : <Mistake reason={line.mistake} />}
          </div>
        </>
      )}
    </article>
  );
});

function Words({ line }: { line: Line }) {
  const { from, verb, to } = lineWords(line);
  return (
    <span dir="auto" className="line-words">
      <b>{from}</b> <span className={line.kind === "failed" ? "text-st-failed" : "text-ink-3"}>{verb}</span>
      {to === undefined ? null : <b> {to}</b>}
    </span>
  );
}

function Plates({ projectId, line, isStop }: Pick<TranscriptLineProps, "projectId" | "line" | "isStop">) {
  const turn = turnOf(line);
  const code = turn === line.to_turn_id ? line.to_headcode : line.headcode;
  if (code === undefined) return null;
  return (
    <Link
      href={`/p/${encodeURIComponent(projectId)}/turns/${encodeURIComponent(turn)}`}
      prefetch={false}
      tabIndex={isStop ? 0 : -1}
      className="rounded-1 hover:bg-raise"
      aria-label={`Open turn ${code}`}
    >
      <Plate code={code} />
    </Link>
  );
}

function Mark({ line, profileOf }: Pick<TranscriptLineProps, "line" | "profileOf">) {
  if (line.by !== undefined) return <HumanMark name={personName(line.by)} size={18} />;
  const id = line.from ?? line.to ?? "";
  if (isPerson({ agent_id: id })) return <HumanMark name={personName(id)} size={18} />;
  return <AgentMark agentId={id} profile={profileOf(id) ?? id} size={18} />;
}

function When({ line, hasTimes }: { line: Line; hasTimes: boolean }) {
  if (line.history_index !== undefined)
    return (
      <span className="mono flex-none text-ink-3" title="Its place in the log, from 0">
        <span className="sr-only">Place in the log: </span>
        {line.history_index}
      </span>
    );
  return hasTimes ? <Clock at={line.at} className="mono flex-none text-ink-3" /> : null;
}

function Mistake({ reason }: { reason: string }) {
  return (
    <p className="line-mistake">
      <Icon name="flag" size={14} className="mt-0.5 flex-none text-st-failed" />
      <span dir="auto">
        <b>Named as the mistake.</b> {reason}
      </span>
    </p>
  );
}

function ToolLine({
  projectId,
  line,
  words,
  hasTimes,
  isStop,
  name,
  onChoose,
}: TranscriptLineProps & { name: string }) {
  const [isOpen, setIsOpen] = useState(line.mistake !== undefined);
  const isResult = line.kind === "result";
  return (
    <>
      <div className="line-tool">
        <button
          type="button"
          tabIndex={isStop ? 0 : -1}
          className="line-tool-fold"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? "Fold" : "Unfold"}: ${name}`}
          onClick={() => {
            setIsOpen(!isOpen);
            onChoose(line);
          }}
        >
          <Icon name={isOpen ? "down" : "right"} size={12} />
          {isResult ? <ResultMark line={line} /> : <Icon name="terminal" size={13} />}
          {isResult ? null : <ToolWords from={lineWords(line).from} verb="called" />}
          <span className="mono flex-none text-ink">{line.tool_name ?? "tool"}</span>
          {isResult ? <span className="flex-none text-ink-3">returned to {lineWords(line).to}</span> : null}
          <span dir="auto" className="mono truncate text-ink-2">
            {line.is_deleted ? "deleted" : <MarkedWords text={line.text.slice(0, SUMMARY_CHARS)} query={words} />}
          </span>
        </button>
        <When line={line} hasTimes={hasTimes} />
      </div>
      {isOpen ? (
        <div className="line-body">
          <LineText projectId={projectId} line={line} name={name} words={words} />
        </div>
      ) : null}
      {line.mistake === undefined ? null : (
        <div className="line-body">
          <Mistake reason={line.mistake} />
        </div>
      )}
    </>
  );
}

function ToolWords({ from, verb }: { from: string; verb: string }) {
  return (
    <span dir="auto" className="flex-none text-ink-3">
      <b className="font-[550] text-ink-2">{from}</b> {verb}
    </span>
  );
}

function ResultMark({ line }: { line: Line }) {
  const isBad = line.status === "failed" || line.status === "timeout";
  return (
    <Aspect status={isBad ? "failed" : line.status === "partial" ? "partial" : "success"} size={13} label={null} />
  );
}

const SUMMARY_CHARS = 240;
