// Which answers near some turns stayed behind: those with the alarm that their caller, or nobody at all, was sent them. Pure.
import type { Picture, TurnFrame } from "@/server/contract/frame";
import { isHeard } from "../plan/alarms";

export type LeftAnswer = {
  turn: TurnFrame;
  tokens: number;
  /** Nobody was sent it, its caller included. */
  isUnread: boolean;
};

/** Of these turns and of those that they called, in the order of their headcodes. */
export function leftAnswers(
  { alarm, alarm_rule, turn: turns }: Pick<Picture, "alarm" | "alarm_rule" | "turn">,
  turnIds: readonly string[],
): LeftAnswer[] {
  const near = new Set(turnIds);
  const found = new Map<string, LeftAnswer>();
  for (const one of alarm.values()) {
    if ((one.rule !== "left_behind" && one.rule !== "no_reader") || !isHeard(one, alarm_rule)) continue;
    const turn = turns.get(one.subject_id);
    if (!turn || !(near.has(turn.agent_turn_id) || near.has(turn.parent_turn_id ?? ""))) continue;
    const isUnread = one.rule === "no_reader";
    if (isUnread || !found.has(turn.agent_turn_id))
      found.set(turn.agent_turn_id, { turn, tokens: Number(one.figures.tokens ?? 0), isUnread });
  }
  return [...found.values()].sort((a, b) => a.turn.headcode.localeCompare(b.turn.headcode));
}
