// Everything that turns of a run hold and others wrote, card by card: the one reading behind the flow of a run and the cards of an
// edge. Three statements, however many turns and cards.

import type { Reader } from "../../reader";
import { noRun } from "../../roster/no-run";
import { type CameFrom, cameFrom, type FlowTurn, type Held, type Known } from "./came-from";
import { readElsewhere } from "./read-elsewhere";
import { type FlowBoxes, readFlowBoxes } from "./read-flow-boxes";
import { readFlowCards } from "./read-flow-cards";

export type Incoming = {
  boxes: FlowBoxes;
  /** In the order of its boxes, context first. */
  of: (turn: FlowTurn) => (Held & CameFrom)[];
};

/** `to`: only what this turn holds. not_found for an unknown run, and for one of another project. */
export async function readIncoming(
  reader: Reader,
  asked: { project_id: string; root_turn_id: string; to?: string },
): Promise<Incoming> {
  const { project_id, root_turn_id } = asked;
  const boxes = await readFlowBoxes(reader, asked);
  if (boxes.list.length === 0) throw await noRun(reader, { project_id, root_turn_id });
  const cards = await readFlowCards(reader, { project_id, card_ids: boxes.ids });
  const writers = new Set([...cards.values()].flatMap(({ agent_turn_id }) => agent_turn_id ?? []));
  const elsewhere = await readElsewhere(reader, {
    ...{ project_id, root_turn_id },
    turn_ids: [...writers].filter((id) => !boxes.turns.get(id)),
    box_ids: boxes.boxes.filter((id) => !boxes.turns.ofBox(id, Number.POSITIVE_INFINITY)),
  });
  const known: Known = { turns: boxes.turns, cards, elsewhere };
  return {
    boxes,
    of: (turn) =>
      boxes.heldBy(turn).flatMap((held) => cameFrom(held, turn, known).map((came) => ({ ...held, ...came }))),
  };
}
