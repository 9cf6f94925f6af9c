// The rows of the timeline: one for each turn, or one for each agent with its turns one after the other. Pure.
import type { TurnFrame } from "@/server/contract/frame";
import { momentAt, type TimeScale } from "./timeline-scale";

export type TimelineRow = { id: string; turns: readonly TurnFrame[] };

/** Agents in the order of their first turns. */
export function agentRows(turns: readonly TurnFrame[]): TimelineRow[] {
  const byAgent = new Map<string, TurnFrame[]>();
  for (const turn of turns) {
    const own = byAgent.get(turn.agent_id);
    if (own) own.push(turn);
    else byAgent.set(turn.agent_id, [turn]);
  }
  return [...byAgent].map(([id, own]) => ({ id, turns: own }));
}

export const turnRows = (turns: readonly TurnFrame[]): TimelineRow[] =>
  turns.map((turn) => ({ id: turn.agent_turn_id, turns: [turn] }));

/** Of several that is where a row was pointed at, or nearest to it. */
export function turnNear(
  row: TimelineRow,
  x: number,
  scale: TimeScale,
  width: number,
  now: number,
): TurnFrame | undefined {
  const at = momentAt(x, scale, width);
  const away = ({ created_at, ended_at }: TurnFrame) => {
    const [from, to] = [Date.parse(created_at), ended_at === undefined ? now : Date.parse(ended_at)];
    return at < from ? from - at : Math.max(0, at - to);
  };
  return row.turns.toSorted((a, b) => away(a) - away(b))[0];
}

/** In the row above or below, the turn that was made nearest to this one. */
export function turnBeside(row: TimelineRow, turn: TurnFrame | undefined): TurnFrame | undefined {
  if (!turn) return row.turns[0];
  const made = Date.parse(turn.created_at);
  return row.turns.toSorted(
    (a, b) => Math.abs(Date.parse(a.created_at) - made) - Math.abs(Date.parse(b.created_at) - made),
  )[0];
}
