// A run as lanes: a column for each agent, and below each other in the order of time who handed over to whom and who returned. Pure.
import type { TurnFrame } from "@/server/contract/frame";
import { isEnded } from "@/server/contract/turn";

export type LaneEvent = {
  kind: "begin" | "hand" | "return";
  turn: TurnFrame;
  /** The one that handed over; undefined for the first turn of a run. */
  caller: TurnFrame | undefined;
  /** Columns: where the arrow begins and ends. Equal where an agent calls itself, or nobody called. */
  from: number;
  to: number;
};
export type LaneBar = { turn: TurnFrame; column: number; top: number; bottom: number };
export type LanePlan = { agents: readonly TurnFrame[]; events: readonly LaneEvent[]; bars: readonly LaneBar[] };

/** Agents in the order of their first turns, each told by that turn. */
export function lanePlan(turns: readonly TurnFrame[]): LanePlan {
  const byId = new Map(turns.map((turn) => [turn.agent_turn_id, turn]));
  const columns = new Map<string, number>();
  const agents: TurnFrame[] = [];
  for (const turn of turns) {
    if (columns.has(turn.agent_id)) continue;
    columns.set(turn.agent_id, agents.length);
    agents.push(turn);
  }
  const columnOf = (turn: TurnFrame) => columns.get(turn.agent_id) ?? 0;
  const events = turns
    .flatMap((turn): (LaneEvent & { at: number })[] => {
      const caller = byId.get(turn.parent_turn_id ?? "");
      const [own, other] = [columnOf(turn), caller === undefined ? columnOf(turn) : columnOf(caller)];
      const begun = {
        kind: caller === undefined ? ("begin" as const) : ("hand" as const),
        ...{ turn, caller, from: other, to: own, at: Date.parse(turn.created_at) },
      };
      if (!isEnded(turn.status)) return [begun];
      const at = Date.parse(turn.ended_at ?? turn.created_at);
      return [begun, { kind: "return", turn, caller, from: own, to: other, at }];
    })
    // Of one moment, what begins comes first: a turn returns after what it was called with.
    .toSorted((a, b) => a.at - b.at || Number(a.kind === "return") - Number(b.kind === "return"))
    .map(({ at: _at, ...event }) => event);
  return { agents, events, bars: barsOf(events) };
}

/** How many columns, from `from` on, the words of a row may take before they would cross the bar of another agent; at least one. */
export function roomOf(row: number, from: number, bars: readonly LaneBar[], columns: number): number {
  let next = columns;
  for (const { column, top, bottom } of bars)
    if (column > from && top <= row && bottom >= row) next = Math.min(next, column);
  return Math.max(1, next - from);
}

/** From the row where it was called to the row where it returned, or on to the end. */
function barsOf(events: readonly LaneEvent[]): LaneBar[] {
  const bars = new Map<string, LaneBar>();
  for (const [row, { kind, turn, to }] of events.entries()) {
    const bar = bars.get(turn.agent_turn_id);
    if (kind === "return" && bar) bar.bottom = row;
    else if (!bar) bars.set(turn.agent_turn_id, { turn, column: to, top: row, bottom: events.length });
  }
  return [...bars.values()];
}
