// The state of a turn, read from the cards it has written. There is no other memory: continuing after a step and taking over
// a dead worker's turn are the same question with the same answer.
import type { Card } from "@/server/contract/card";
import { countSteps } from "@/server/kernel/provenance/next-request";
import { isApproved } from "@/server/kernel/tools/approval";
import { afterExecution } from "@/server/kernel/turns/apply-results";

export type Move =
  /** The model has called tools whose results are missing; `thought` is the card of these calls. */
  | {
      kind: "execute";
      step_id: string;
      thought: Card;
      calls: Card[];
      /** Calls that a person approved: their step has ended, with the model's usage. */
      approved: Set<string | undefined>;
      is_only_call: boolean;
    }
  /**
   * A call has ended the turn, with the status of its result. For submit_result the deliverable is its arguments, for any
   * other tool its result.
   */
  | { kind: "deliver"; call: Card; result: Card }
  | { kind: "ask"; steps_done: number };

/** `own_cards` = the turn's part of its output box, in order. */
export function nextMove(own_cards: Card[]): Move {
  const results = new Map(own_cards.filter(isResult).map((card) => [card.tool_call_id, card]));
  const calls = own_cards.filter((card) => card.type === "tool.call");
  const ends = calls.flatMap((call) => {
    const result = results.get(call.tool_call_id);
    return result && endsTurn(result) ? [{ call, result }] : [];
  });
  const open = calls.filter((card) => !results.has(card.tool_call_id));
  // If several calls of a step end the turn, a failed one wins; a missing result may be one.
  const ending = ends.map(({ call }) => stepOf(call));
  const next = ends.length === 0 ? open[0] : open.find((card) => ending.includes(stepOf(card)));
  const step_id = stepOf(next);
  const thought = own_cards.find((card) => card.type === "agent.thought" && stepOf(card) === step_id);
  if (ends.length > 0 && (step_id === undefined || !thought)) {
    const end = ends.find(({ result }) => statusOf(result) !== "success") ?? ends[0];
    if (end) return { kind: "deliver", call: asApproved(end.call, own_cards), result: end.result };
  }
  if (step_id !== undefined && thought) {
    const ofStep = (card: Card) => stepOf(card) === step_id;
    const approved = new Set(own_cards.filter(isApproved).map((card) => card.tool_call_id));
    const is_only_call = calls.filter(ofStep).length === 1;
    return { kind: "execute", step_id, thought, calls: open.filter(ofStep), approved, is_only_call };
  }
  return { kind: "ask", steps_done: countSteps(own_cards) };
}

const isResult = (card: Card) => card.type === "tool.result";

/** With the arguments that were carried out. */
function asApproved(call: Card, own_cards: Card[]): Card {
  const approval = own_cards.find((card) => isApproved(card) && card.tool_call_id === call.tool_call_id);
  return approval ? { ...call, content: approval.content } : call;
}

function stepOf(card: Card | undefined): string | undefined {
  return typeof card?.metadata.step_id === "string" ? card.metadata.step_id : undefined;
}

/** Whatever its status: a tool that ends the turn also ends it by failing. */
const endsTurn = (result: Card): boolean => afterExecution(result) === "terminate";

const statusOf = ({ content }: Card) => (content?.kind === "tool_result" ? content.status : "success");
