// The hand-over that made a turn, card by card (docs/debugging.md). Six statements, however many cards.
import { formatConsist } from "@/server/contract/consist";
import type { ColumnWeight, HandoverQuery, HandoverSheet } from "@/server/contract/handover-diff";
import { expandLines } from "../context/expand-receipt";
import type { Reader } from "../reader";
import { differingFrom } from "./differing";
import { handoverRows } from "./handover-rows";
import { idsToJudge, judgeEdge } from "./judge-edge";
import { readBranches } from "./read-branches";
import { readCardFacts } from "./read-card-facts";
import { readHandoverBoxes } from "./read-handover-boxes";
import { readHandoverEdge } from "./read-handover-edge";
import { weighRows } from "./weigh-rows";

export type ReadHandover = HandoverQuery & { project_id: string; agent_turn_id: string };

/** not_found for an unknown turn and for one of another project alike. */
export async function readHandover(reader: Reader, input: ReadHandover): Promise<HandoverSheet> {
  const { project_id } = input;
  const [edge, branches] = await Promise.all([readHandoverEdge(reader, input), readBranches(reader, input)]);
  const others = branches.map(({ context_box_id }) => context_box_id);
  const boxes = (await readHandoverBoxes(reader, { project_id, edges: [edge], others }))(edge);
  const lines = edge.receipt ? expandLines(edge.receipt, boxes.all) : [];
  const asked = { edge, boxes, lines };
  const branch_ids = others.map((box_id) => boxes.ids(box_id));
  const card_ids = [...idsToJudge(asked), ...unshared(branch_ids)];
  const facts = await readCardFacts(reader, { project_id, card_ids });
  const { had, saw, judged } = judgeEdge(asked, facts);
  const kept = input.verdict === undefined ? judged : judged.filter(({ verdict }) => verdict === input.verdict);
  const page = kept.slice(input.from, input.from + input.limit);
  const tokens = (ids: readonly string[]): ColumnWeight => ({
    cards: ids.length,
    tokens: ids.reduce((sum, id) => sum + (facts.get(id)?.tokens ?? 0), 0),
    consist: formatConsist(ids.flatMap((id) => facts.get(id) ?? [])),
  });
  const context = boxes.packed.map(({ card_id }) => card_id);
  const differs = differingFrom(branch_ids, facts);
  const shown = await handoverRows(reader, {
    project_id,
    page,
    columns: { had: had.ids, edge, boxes, saw: saw ?? context },
  });
  return {
    callee: {
      ...edge.callee,
      side: saw === null ? "context" : "request",
      is_sent: saw !== null,
      ...(edge.step_id !== null && { step_id: edge.step_id }),
    },
    ...(edge.caller && {
      caller: {
        ...edge.caller,
        side: had.side,
        ...(had.side === "request" && edge.parent_step_id !== null && { step_id: edge.parent_step_id }),
        ...(edge.caller_ordinal !== null && { ordinal: edge.caller_ordinal }),
      },
    }),
    primitive: edge.primitive,
    context_box_id: edge.context_box_id,
    ...(edge.receipt?.recipe && { recipe: edge.receipt.recipe }),
    has_receipt: edge.receipt !== null,
    had: tokens(had.ids),
    packed: tokens(context),
    saw: tokens(saw ?? context),
    verdicts: weighRows(judged, facts),
    branches: branches.map(({ context_box_id: _box, ...branch }) => branch),
    rows: shown.map((row) => (differs(row.packed?.card_id) ? { ...row, differs: true as const } : row)),
    rows_total: kept.length,
    from: input.from,
  };
}

const unshared = (branches: readonly string[][]): string[] => {
  const counts = new Map<string, number>();
  for (const ids of branches) for (const id of new Set(ids)) counts.set(id, (counts.get(id) ?? 0) + 1);
  return [...counts].flatMap(([id, n]) => (n < branches.length ? id : []));
};
