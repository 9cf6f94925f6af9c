// The cards of one edge of a run's context flow, page by page. Four statements.
import type { FlowCards } from "@/server/contract/answers/run-flow";
import { KernelError } from "@/server/contract/errors";
import type { FlowCardsQuery } from "@/server/contract/run-flow";
import type { Reader } from "../reader";
import { readIncoming } from "./flow/read-incoming";
import { missingLine, readCardLines } from "./read-card-lines";

/** not_found for an unknown run, and for a turn that is not in it. No rows if nothing went that way. */
export async function readFlowCards(
  reader: Reader,
  input: FlowCardsQuery & { project_id: string; root_turn_id: string },
): Promise<FlowCards> {
  const { project_id, root_turn_id, from, to, start, limit } = input;
  const { boxes, of } = await readIncoming(reader, { project_id, root_turn_id, to });
  const turn = boxes.turns.get(to);
  if (!turn) throw new KernelError("not_found", `to: run ${root_turn_id} has no turn ${to}`);
  const held = of(turn).filter((one) => one.from === from);
  const page = held.slice(start, start + limit);
  const lines = await readCardLines(reader, { project_id, card_ids: page.map(({ card_id }) => card_id) });
  return {
    from,
    to,
    cards: held.length,
    tokens: held.reduce((sum, { tokens }) => sum + tokens, 0),
    start,
    rows: page.map(({ card_id, as, tokens }) => ({
      ...(lines.get(card_id) ?? missingLine(card_id)),
      as,
      flow_tokens: tokens,
    })),
  };
}
