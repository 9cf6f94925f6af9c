"use client";

// One turn as a row of the table: where it stands below its caller, and its figures.
import { type CSSProperties, memo, type ReactNode } from "react";
import { personName } from "@/components/domain/agent-names";
import { NoCost } from "@/components/domain/no-cost";
import { statusWords } from "@/components/domain/status-words";
import { AgentMark } from "@/components/ui/agent-mark";
import { Aspect } from "@/components/ui/aspect";
import { formatCompact, formatCost, formatCount, formatDuration, formatNumber } from "@/components/ui/format";
import { HumanMark } from "@/components/ui/human-mark";
import { Icon } from "@/components/ui/icon";
import { plainWords } from "@/components/ui/plain-words";
import { Plate } from "@/components/ui/plate";
import { Clock } from "@/components/ui/time";
import type { TurnFrame } from "@/server/contract/frame";
import { Fill } from "../fill";
import { elapsedMs, isFailure, noteOf, turnLabel } from "../turn-words";
import { type TreeColumn, treeColumns } from "./tree-columns";
import type { TreeRow } from "./tree-rows";

export type TreeRowProps = {
  id: string;
  row: TreeRow;
  /** Of the table, its head included. */
  index: number;
  top: number;
  isSelected: boolean;
  hasTimes: boolean;
  now: number;
  onSelect: (id: string) => void;
  onToggle: (id: string) => void;
  onOpen: (id: string) => void;
};

/** Deeper rows are no further in: the task would have no room left. */
const LEVELS_DRAWN = 12;

export const TreeRowView = memo(function TreeRowView(props: TreeRowProps) {
  const { id, row, index, top, isSelected, onSelect, onOpen } = props;
  const { turn, level, position, siblings, isOpen, isPath } = row;
  return (
    <tr
      id={id}
      aria-rowindex={index}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={isOpen ?? undefined}
      aria-selected={isSelected}
      data-path={isPath || undefined}
      data-turn={turn.agent_turn_id}
      className="tree-row"
      style={{ transform: `translateY(${top}px)`, "--level": Math.min(LEVELS_DRAWN, level) - 1 } as CSSProperties}
      onClick={() => onSelect(turn.agent_turn_id)}
      onDoubleClick={() => onOpen(turn.agent_turn_id)}
    >
      {treeColumns.map(({ key, isRight }, at) => (
        <td key={key} aria-colindex={at + 1} data-column={key} className={isRight ? "text-right" : undefined}>
          {cells[key](props)}
        </td>
      ))}
    </tr>
  );
});

const unknown = <span className="text-ink-3">-</span>;

const cells: Record<TreeColumn["key"], (props: TreeRowProps) => ReactNode> = {
  turn: ({ row: { turn, isOpen, below }, isSelected, onToggle }) => (
    <>
      <i aria-hidden className="tree-indent" />
      {isOpen === null ? (
        <i aria-hidden className="tree-fold" />
      ) : (
        // The row says it: the arrows do the same for the keyboard.
        <i
          aria-hidden
          className="tree-fold"
          data-fold
          onClick={(event) => {
            event.stopPropagation();
            onToggle(turn.agent_turn_id);
          }}
        >
          <Icon name={isOpen ? "down" : "right"} size={13} />
        </i>
      )}
      <Plate code={turn.headcode} tone={isSelected ? "ink" : "raised"} />
      {isOpen === true && below > 0 ? <span className="text-ink-3 text-note">{formatNumber(below)}</span> : null}
    </>
  ),
  status: ({ row: { turn } }) => (
    <>
      <Aspect status={turn.status} size={14} label={null} />
      <span className="truncate">{statusWords[turn.status]}</span>
    </>
  ),
  agent: ({ row: { turn } }) => (
    <>
      {turn.is_human ? (
        <HumanMark name={personName(turn.agent_id)} size={16} />
      ) : (
        <AgentMark agentId={turn.agent_id} profile={turn.profile_name} size={16} />
      )}
      <span dir="auto" className="truncate" title={turn.agent_id}>
        {turn.is_human ? personName(turn.agent_id) : turnLabel(turn)}
      </span>
    </>
  ),
  task: ({ row: { turn } }) => (
    <>
      {turn.mark === undefined ? null : (
        <Icon name="flag" size={13} className="flex-none text-st-failed" label="Named as the mistake" />
      )}
      <span dir="auto" className={isFailure(turn) ? "truncate text-st-failed" : "truncate"} title={turn.title}>
        {isFailure(turn) ? noteOf(turn) : plainWords(turn.title)}
      </span>
    </>
  ),
  begun: ({ row: { turn }, hasTimes }) =>
    hasTimes ? <Clock at={turn.started_at ?? turn.created_at} className="text-ink-3" /> : unknown,
  duration: ({ row: { turn }, hasTimes, now }) => {
    const ms = hasTimes ? elapsedMs(turn, now) : null;
    return ms === null ? unknown : formatDuration(ms);
  },
  tokens: ({ row: { turn } }) => {
    const tokens = turn.tokens_in + turn.tokens_out;
    return tokens === 0 ? (
      unknown
    ) : (
      <span title={`${formatNumber(tokens)} tokens in and out, as the provider reported them`}>
        {formatCompact(tokens)}
      </span>
    );
  },
  cost: ({ row: { turn } }) => (turn.cost === undefined ? <NoCost why={whyNoCost(turn)} /> : formatCost(turn.cost)),
  fill: ({ row: { turn } }) => <Fill turn={turn} className="" />,
  cards: ({ row: { turn } }) => (
    <span title={`${formatCount(turn.context_cards, "card")} given, ${formatNumber(turn.output_cards)} written`}>
      {formatNumber(turn.context_cards + turn.output_cards)}
    </span>
  ),
};

const whyNoCost = (turn: TurnFrame): string =>
  turn.tokens_in + turn.tokens_out === 0 ? "No usage reported" : "Its model has no price";
