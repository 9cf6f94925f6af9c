// The two rules about hand-overs: what each of these turns was handed, judged as its page judges it. Five statements in all, and one
// if nothing was inherited.
import { chunksOf } from "../cardbox/chunks-of";
import { expandLines } from "../context/expand-receipt";
import { type AskedEdge, idsToJudge, judgeEdge } from "../debugger/judge-edge";
import { INHERITED_ORIGIN } from "../debugger/judge-handover";
import { type ReadFact, readCardFacts } from "../debugger/read-card-facts";
import { readHandoverBoxes } from "../debugger/read-handover-boxes";
import { readHandoverEdges } from "../debugger/read-handover-edge";
import { type Reader, read } from "../reader";
import type { Found, Swept } from "./found";
import { offRecipe } from "./off-recipe";
import { passedUnseen } from "./passed-unseen";
import { withPauses } from "./with-pauses";

const isInherited = (
  chunks: string,
): string => `(SELECT bool_or(o.is_inherited) OR sum(cardinality(k.card_ids)) > sum(o.known)
    FROM ${chunks} k CROSS JOIN LATERAL (
      SELECT bool_or(coalesce(r ->> 1, 'given') ~ $3) AS is_inherited, coalesce(sum((r ->> 0)::int), 0) AS known FROM jsonb_array_elements(k.origins) r) o)`;
// Both rules are about cards that existed before. A card without an origin counts as one of those (readHandoverBoxes). A box without a base
// and without chunks has all of its cards in its own row, so no chunk is looked up.
const INHERITING = `
  SELECT t.agent_turn_id FROM state.agent_turns t CROSS JOIN LATERAL (SELECT b.base_box, b.chunk_count, b.tail, b.tail_origins FROM card_boxes b
    WHERE b.tenant_id = $1 AND b.box_id = t.context_box_id OFFSET 0) b
  WHERE t.project_id = $1 AND t.agent_turn_id = ANY ($2::text[]) AND NOT t.is_human
    AND CASE WHEN b.base_box IS NULL AND b.chunk_count = 0 THEN ${isInherited("(SELECT b.tail AS card_ids, b.tail_origins AS origins)")}
      ELSE ${isInherited(chunksOf("t.context_box_id"))} END`;

export async function findInHandovers(reader: Reader, { project_id, agent_turn_ids, limits }: Swept): Promise<Found[]> {
  const inheriting = await read<{ agent_turn_id: string }>(reader, "alarm_inheriting", INHERITING, [
    project_id,
    agent_turn_ids,
    INHERITED_ORIGIN,
  ]);
  if (inheriting.length === 0) return [];
  const ids = inheriting.map(({ agent_turn_id }) => agent_turn_id);
  const all = await readHandoverEdges(reader, { project_id, agent_turn_ids: ids });
  // A fork goes on with the cards of another turn: it has no receipt of its own.
  const edges = all.filter(({ callee, forked_ordinal }) => !callee.is_human && forked_ordinal === null);
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
