// The two rules about hand-overs: what each of these turns was handed, judged as its page judges it. Four statements for all.
import { expandLines } from "../context/expand-receipt";
import { type AskedEdge, idsToJudge, judgeEdge } from "../debugger/judge-edge";
import { type ReadFact, readCardFacts } from "../debugger/read-card-facts";
import { readHandoverBoxes } from "../debugger/read-handover-boxes";
import { readHandoverEdges } from "../debugger/read-handover-edge";
import type { Reader } from "../reader";
import type { Found, Swept } from "./found";
import { offRecipe } from "./off-recipe";
import { passedUnseen } from "./passed-unseen";
import { withPauses } from "./with-pauses";

export async function findInHandovers(reader: Reader, { project_id, agent_turn_ids, limits }: Swept): Promise<Found[]> {
  const read = await readHandoverEdges(reader, { project_id, agent_turn_ids });
  // A fork goes on with the cards of another turn: it has no receipt of its own.
  const edges = read.filter(({ callee, forked_ordinal }) => !callee.is_human && forked_ordinal === null);
  const boxesOf = await readHandoverBoxes(reader, { project_id, edges });
  const asked = await withPauses(edges, (edge): AskedEdge => {
    const boxes = boxesOf(edge);
    return { edge, boxes, lines: edge.receipt ? expandLines(edge.receipt, boxes.all) : [] };
  });
  const facts = await readCardFacts(reader, { project_id, card_ids: asked.flatMap(idsToJudge) });
  const found = await withPauses(asked, (one) => alarmsOf(one, facts, limits));
  return found.flat();
}

function alarmsOf(one: AskedEdge, facts: ReadonlyMap<string, ReadFact>, limits: Swept["limits"]): Found[] {
  const { agent_turn_id, root_turn_id } = one.edge.callee;
  const at = { agent_turn_id, root_turn_id };
  const tokensOf = (card_id: string) => facts.get(card_id)?.tokens ?? 0;
  const { had, judged } = judgeEdge(one, facts);
  const unseen = passedUnseen({ side: had.side, judged, tokensOf }, limits);
  const off = offRecipe({ ...one, tokensOf });
  return [
    ...(unseen ? [{ rule: "passed_unseen" as const, subject_id: agent_turn_id, ...at, figures: unseen }] : []),
    ...off.map(({ box_id, ...figures }) => ({ rule: "off_recipe" as const, subject_id: box_id, ...at, figures })),
  ];
}
