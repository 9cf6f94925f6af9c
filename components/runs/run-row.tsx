// One run as a row of the table: it leads to its yard.
import type { ReactNode } from "react";
import { NoCost } from "@/components/domain/no-cost";
import { statusWords } from "@/components/domain/status-words";
import { Aspect } from "@/components/ui/aspect";
import { cn } from "@/components/ui/cn";
import { formatCompact, formatCost, formatCount, formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { plainWords } from "@/components/ui/plain-words";
import { Ago, Elapsed } from "@/components/ui/time";
import type { RunLine } from "@/server/contract/run-list";
import type { RunSort, RunStatus } from "@/server/contract/run-order";
import type { TurnStatus } from "@/server/contract/turn";
import { runColumns } from "./run-columns";

export type RunRowProps = {
  projectId: string;
  line: RunLine;
  columns: readonly RunSort[];
  isChosen: boolean;
  onToggle: (isRange: boolean) => void;
};

export function RunRow({ projectId, line, columns, isChosen, onToggle }: RunRowProps) {
  return (
    <tr className="list-row run-row" data-run={line.root_turn_id} data-chosen={isChosen || undefined}>
      <td className="run-pick">
        <input
          type="checkbox"
          checked={isChosen}
          aria-label={`Choose run ${line.number}`}
          onClick={(event) => onToggle(event.shiftKey)}
          onChange={() => undefined}
        />
      </td>
      {columns.map((column) => (
        <td key={column} className={cn(`run-${column}`, runColumns[column].isRight && "text-right")}>
          {column === "title" ? <Title projectId={projectId} line={line} /> : cells[column](line, projectId)}
        </td>
      ))}
    </tr>
  );
}

function Title({ projectId, line }: { projectId: string; line: RunLine }) {
  const { root_turn_id, number, title, source } = line;
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Link
        data-row
        href={`/p/${encodeURIComponent(projectId)}?run=${encodeURIComponent(root_turn_id)}`}
        prefetch={false}
        className="flex min-w-0 items-baseline gap-2 after:absolute after:inset-0"
      >
        <b className="mono flex-none text-ink-2">
          <span className="sr-only">Run </span>
          {number}
        </b>
        <span dir="auto" className="truncate">
          {plainWords(title)}
        </span>
        {source === "launch" ? null : <span className="flex-none text-ink-3">{source}</span>}
      </Link>
      <Link
        href={`/p/${encodeURIComponent(projectId)}/runs/${encodeURIComponent(root_turn_id)}/transcript`}
        prefetch={false}
        title="Read it as a transcript"
        aria-label={`Transcript of run ${number}`}
        className="run-transcript"
      >
        <Icon name="text" size={14} />
      </Link>
    </span>
  );
}

const aspectOf: Record<RunStatus, TurnStatus> = {
  running: "running",
  waiting: "suspended",
  failed: "failed",
  timeout: "timeout",
  canceled: "canceled",
  partial: "partial",
  success: "success",
};
export const runStatusWords = (status: RunStatus): string => statusWords[aspectOf[status]];

const none = <span className="text-ink-3">0</span>;

/** What a number means is said with it: on a phone there are no heads. */
const cells: Record<Exclude<RunSort, "title">, (line: RunLine, projectId: string) => ReactNode> = {
  status: ({ status }) => (
    <span className="flex items-center gap-1.5">
      <Aspect status={aspectOf[status]} size={14} label={null} />
      {runStatusWords(status)}
    </span>
  ),
  who: ({ who, agent_id }) => (
    <span dir="auto" className="block truncate text-ink-2" title={agent_id}>
      {who}
    </span>
  ),
  begun: ({ created_at }) => <Ago at={created_at} className="text-ink-3" />,
  duration: ({ created_at, ended_at, is_untimed }) =>
    is_untimed ? (
      <span title="The log has no times" className="text-ink-3">
        <span aria-hidden>-</span>
        <span className="sr-only">Duration not known: the log has no times</span>
      </span>
    ) : (
      <Elapsed since={created_at} until={ended_at} className="text-ink-2" />
    ),
  turns: ({ turns, is_cut }) => (
    <>
      <b>
        {formatNumber(turns)}
        {is_cut ? "+" : ""}
      </b>
      <Unit>{turns === 1 ? "turn" : "turns"}</Unit>
    </>
  ),
  failed: ({ failed }) =>
    failed === 0 ? (
      <>
        {none}
        <span className="sr-only"> failures</span>
      </>
    ) : (
      <span className="text-st-failed">
        <b>{formatNumber(failed)}</b>
        <Unit>failed</Unit>
      </span>
    ),
  tokens: ({ tokens }) => (
    <span title={`${formatNumber(tokens)} tokens reported`}>
      {formatCompact(tokens)}
      <Unit>tokens reported</Unit>
    </span>
  ),
  cost: ({ cost, unpriced }) =>
    cost === undefined ? (
      <NoCost why={unpriced === 0 ? "No usage reported yet" : `${formatCount(unpriced, "turn")} without a price`} />
    ) : (
      <span title={unpriced === 0 ? undefined : `${formatCount(unpriced, "turn")} without a price left out`}>
        {formatCost(cost)}
        {unpriced === 0 ? null : <span className="text-ink-3">+</span>}
      </span>
    ),
  alarms: ({ alarms, root_turn_id }, projectId) =>
    alarms === 0 ? (
      <>
        {none}
        <span className="sr-only"> alarms</span>
      </>
    ) : (
      <Link
        href={`/p/${encodeURIComponent(projectId)}/alarms?run=${encodeURIComponent(root_turn_id)}`}
        prefetch={false}
        className="relative z-1 inline-block min-h-6 min-w-6 text-right text-st-partial leading-6 hover:underline"
      >
        <b>{formatNumber(alarms)}</b>
        <Unit>{alarms === 1 ? "alarm" : "alarms"}</Unit>
      </Link>
    ),
};

function Unit({ children }: { children: ReactNode }) {
  return <span className="run-unit"> {children}</span>;
}
