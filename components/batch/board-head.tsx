"use client";

// The head of a board: its plate, what was forked by whom under which rule, how the lanes stand, and the time that is left.
import { Aspect } from "@/components/ui/aspect";
import { CopyButton } from "@/components/ui/copy-button";
import { formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { plainWords } from "@/components/ui/plain-words";
import { Plate } from "@/components/ui/plate";
import { Elapsed } from "@/components/ui/time";
import { batchCode } from "@/server/contract/batch-code";
import type { BatchSheet, Branch } from "@/server/contract/batch-sheet";
import { batchName, laneAspect, laneOf, laneWord, ruleWords, tallyOf } from "./batch-words";
import { CloseBatch } from "./close-batch";
import { RetryBranch } from "./retry-branch";
import { StopBatch } from "./stop-batch";
import { TimeLeft } from "./time-left";

export type BoardHeadProps = {
  projectId: string;
  sheet: BatchSheet;
  isLive: boolean;
  /** The branch that can be tried again. */
  retriable: Branch | null;
};

export function BoardHead({ projectId, sheet, isLive, retriable }: BoardHeadProps) {
  const base = `/p/${encodeURIComponent(projectId)}`;
  const { parent, run } = sheet;
  const tally = tallyOf(sheet.tasks.map(laneOf));
  return (
    <header className="board-head">
      <Plate code={batchCode(sheet)} tone="ink" size="lg" title={sheet.batch_id} />
      <div className="min-w-0">
        <h1
          dir="auto"
          className="text-h1 sm:truncate"
          title={parent === undefined ? undefined : plainWords(parent.title)}
        >
          {batchName(sheet)}
        </h1>
        <p className="flex flex-wrap items-center gap-x-1.5 text-ink-2">
          <span className="mono">{sheet.tool_name}</span> from{" "}
          {parent === undefined ? (
            "a turn that is gone"
          ) : (
            <Link
              href={`${base}?run=${parent.root_turn_id}&turn=${parent.agent_turn_id}`}
              title={`${parent.is_human ? "A person" : parent.profile_name} ${parent.headcode}: ${parent.status}. Show it in the yard.`}
              className="inline-flex items-center gap-1 hover:underline"
            >
              {parent.is_human ? "a person" : parent.profile_name}
              <Plate code={parent.headcode} />
            </Link>
          )}
          {run === undefined ? null : (
            <span>
              in{" "}
              <Link href={`${base}?run=${run.root_turn_id}`} className="hover:underline" title={run.title}>
                run {formatNumber(run.number)}
              </Link>
              ,
            </span>
          )}
          <span>{ruleWords(sheet)}</span>
        </p>
      </div>
      <p className="flex flex-wrap items-center gap-x-3.5 gap-y-1 sm:ml-4">
        {tally.map(({ lane, count }) => (
          <span key={lane} className="flex items-center gap-[5px]">
            <Aspect status={laneAspect(lane)} size={15} label={null} />
            <b className="font-[650]">{formatNumber(count)}</b>
            <span className="text-ink-2">{laneWord(lane)}</span>
          </span>
        ))}
      </p>
      <span className="flex-1" />
      {sheet.status === "running" ? (
        <TimeLeft batch={sheet} size="head" />
      ) : (
        <span className="flex items-center gap-1.5 whitespace-nowrap">
          <Aspect status={sheet.status} size={16} label={null} />
          <b className="font-[650] text-title">{sheet.status}</b>
          <span className="text-ink-3">
            after <Elapsed since={sheet.created_at} until={sheet.ended_at} />
          </span>
        </span>
      )}
      <span className="sr-only" role="status">
        {sheet.status === "running" ? (isLive ? "The board is live." : "") : `The batch has ended: ${sheet.status}.`}
      </span>
      {retriable === null ? null : <RetryBranch projectId={projectId} sheet={sheet} branch={retriable} />}
      <CloseBatch projectId={projectId} sheet={sheet} />
      {sheet.status === "running" ? <StopBatch projectId={projectId} sheet={sheet} /> : null}
      <Link className="btn" title="Draw a plan with these tasks" href={`${base}/compose?batch=${sheet.batch_id}`}>
        Change it, then run again
      </Link>
      <CopyButton text={sheet.batch_id} label="Copy the batch id" className="max-sm:hidden" />
    </header>
  );
}
