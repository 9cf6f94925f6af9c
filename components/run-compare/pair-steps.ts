// Which steps of two turns stand for each other: those of one number, and for a fork counted from the step that it continues. Pure.
import type { TurnDetail } from "@/server/contract/turn-detail";

export type StepPair = { ordinal: number; other: number; a: string; b: string };

type Stepped = Pick<TurnDetail, "agent_turn_id" | "forked_from" | "steps">;

/** Only steps whose requests were recorded. */
export function pairSteps(a: Stepped, b: Stepped): StepPair[] {
  const shift = shiftOf(b, a) - shiftOf(a, b);
  const others = new Map(
    b.steps.flatMap((step) => (step.request_box_id === undefined ? [] : [[step.ordinal, step.step_id]])),
  );
  return a.steps.flatMap(({ ordinal, step_id, request_box_id }) => {
    const other = ordinal - shift;
    const found = others.get(other);
    return request_box_id === undefined || found === undefined ? [] : [{ ordinal, other, a: step_id, b: found }];
  });
}

/** How far its first step is behind the first of the other. */
function shiftOf({ forked_from }: Stepped, other: Stepped): number {
  if (forked_from === undefined) return 0;
  const isKin =
    forked_from.agent_turn_id === other.agent_turn_id || forked_from.agent_turn_id === other.forked_from?.agent_turn_id;
  return isKin ? forked_from.ordinal - 1 : 0;
}
