// The rows of the timeline: one for each turn, or one for each agent with its turns one after the other. Pure.
import type { TurnFrame } from "@/server/contract/frame";
import { momentAt, type TimeScale } from "./timeline-scale";

export type TimelineRow = {
  id: string;
  turns: readonly TurnFrame[];
  /** The place of each in the order of all: where a log without times draws it. */
  orders: readonly number[];
};

/** Agents in the order of their first turns. */
export function agentRows(turns: readonly TurnFrame[]): TimelineRow[] {
  const byAgent = new Map<string, { id: string; turns: TurnFrame[]; orders: number[] }>();
  for (const [order, turn] of turns.entries()) {
    const own = byAgent.get(turn.agent_id) ?? { id: turn.agent_id, turns: [], orders: [] };
    byAgent.set(turn.agent_id, own);
    own.turns.push(turn);
    own.orders.push(order);
  }
  return [...byAgent.values()];
}

export const turnRows = (turns: readonly TurnFrame[]): TimelineRow[] =>
  turns.map((turn, order) => ({ id: turn.agent_turn_id, turns: [turn], orders: [order] }));

/** Where a turn begins and ends on the axis. */
export function reachOf(turn: TurnFrame, order: number, scale: TimeScale, now: number): { from: number; to: number } {
  if (!scale.is_timed) return { from: order, to: order + 1 };
  return { from: Date.parse(turn.created_at), to: turn.ended_at === undefined ? now : Date.parse(turn.ended_at) };
}

/** Of the turns of a row, by their place in it: those that end at least a pixel after what is drawn, and the selected one. */
export function drawnOf(row: TimelineRow, selectedId: string | undefined, x: (turn: TurnFrame, at: number) => number) {
  let drawnTo = Number.NEGATIVE_INFINITY;
  return row.turns.flatMap((turn, at) => {
    const end = x(turn, at);
    if (row.turns.length > 1 && turn.agent_turn_id !== selectedId && end - drawnTo < 1) return [];
    drawnTo = Math.max(drawnTo, end);
    return [{ turn, order: row.orders[at] ?? 0 }];
  });
}

/** Of several that is where a row was pointed at, or nearest to it. */
export function turnNear(
  row: TimelineRow,
  x: number,
  scale: TimeScale,
  width: number,
  now: number,
): TurnFrame | undefined {
  const at = momentAt(x, scale, width);
  let near: { turn: TurnFrame; away: number } | undefined;
  for (const [index, turn] of row.turns.entries()) {
    const { from, to } = reachOf(turn, row.orders[index] ?? 0, scale, now);
    const away = at < from ? from - at : Math.max(0, at - to);
    if (near === undefined || away < near.away) near = { turn, away };
  }
  return near?.turn;
}

/** In the row above or below, the turn that was made nearest to this one. */
export function turnBeside(row: TimelineRow, turn: TurnFrame | undefined): TurnFrame | undefined {
  if (!turn) return row.turns[0];
  const made = Date.parse(turn.created_at);
  return row.turns.toSorted(
    (a, b) => Math.abs(Date.parse(a.created_at) - made) - Math.abs(Date.parse(b.created_at) - made),
  )[0];
}
