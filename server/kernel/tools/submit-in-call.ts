// A worker of another language calls submit_result: its turn ends with that, as one of the built-in worker does. It used to be
// told "accepted", and went on running.
import type { CardContent } from "@/server/contract/card";
import type { Kernel } from "../kernel";
import type { TurnCard } from "../turns/append-cards";
import { endStepIn } from "../turns/end-step";
import { endTurn } from "../turns/end-turn";
import { type Fenced, isFenced } from "../turns/fenced";
import { lockTurn, type TurnKey } from "../turns/lock-turn";
import { withUnit } from "../unit";

export type SubmitInCall = TurnKey & {
  step_id: string;
  tool_call_id: string;
  /** The tool.result card of the call. */
  result: TurnCard;
  content: CardContent;
  worker_id?: string;
};

/** The result, the end of its step and the end of the turn are one transaction. */
export async function submitInCall(
  kernel: Kernel,
  input: SubmitInCall,
): Promise<{ card_id: string; deliverable_card_id: string } | Fenced> {
  const { result, content, tool_call_id } = input;
  return withUnit(kernel, async (unit) => {
    const row = await lockTurn(unit, { ...input, statuses: ["running"], what: "result of submit_result" });
    if (isFenced(row)) return row;
    const ended = await endStepIn(unit, row, { ...input, cards: [result], tool_call_ids: [tool_call_id] });
    const [stored] = ended.cards;
    if (!stored) throw new Error("a result was written and did not come back");
    const { deliverable_card_id } = await endTurn(unit, { row: ended.row, status: "success", content });
    return { card_id: stored.card_id, deliverable_card_id };
  });
}
