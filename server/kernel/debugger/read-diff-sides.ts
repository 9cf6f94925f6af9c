// The two boxes of a comparison with the turn and the step that each was made for: one statement, by box or by step.
import type { BoxKind } from "@/server/contract/box";
import type { DiffBox } from "@/server/contract/box-diff/box-diff";
import { KernelError } from "@/server/contract/errors";
import type { TurnRef } from "@/server/contract/line";
import { boxMissing } from "../cardbox/read-box";
import { askableIds, type Reader, read } from "../reader";
import { REF } from "./read-handover-edge";

// Most context and output boxes name an agent and no turn: then the first turn that read or wrote it is told.
// OFFSET 0, because the planner would walk all turns of the project by age until it meets one.
const OF_BOX = `
  b.box_id, b.kind, b.length AS cards, b.token_sum::int AS tokens, s.step_id, s.ordinal,
  CASE WHEN t.agent_turn_id IS NOT NULL THEN ${REF("t")} END AS turn`;
const TURN_OF_BOX = `
  LEFT JOIN LATERAL (SELECT o.agent_turn_id FROM (SELECT o.agent_turn_id, o.created_at FROM state.agent_turns o
      WHERE o.project_id = $1 AND b.owner_turn_id IS NULL AND (o.context_box_id = b.box_id OR o.output_box_id = b.box_id) OFFSET 0) o
    ORDER BY o.created_at, o.agent_turn_id LIMIT 1) r ON true
  LEFT JOIN state.agent_turns t ON t.project_id = $1 AND t.agent_turn_id = coalesce(b.owner_turn_id, r.agent_turn_id)`;

const BOXES = `
  SELECT ${OF_BOX} FROM card_boxes b ${TURN_OF_BOX}
  LEFT JOIN state.agent_steps s ON s.project_id = $1 AND s.agent_turn_id = b.owner_turn_id AND s.request_box_id = b.box_id
  WHERE b.tenant_id = $1 AND b.box_id = ANY ($2::text[])`;
const STEPS = `
  SELECT ${OF_BOX} FROM state.agent_steps s
  JOIN card_boxes b ON b.tenant_id = $1 AND b.box_id = s.request_box_id
  LEFT JOIN state.agent_turns t ON t.project_id = $1 AND t.agent_turn_id = s.agent_turn_id
  WHERE s.project_id = $1 AND s.step_id = ANY ($2::text[])`;

export type SideRow = {
  box_id: string;
  kind: BoxKind;
  cards: number;
  tokens: number;
  step_id: string | null;
  ordinal: number | null;
  turn: TurnRef | null;
};
type Asked = { project_id: string; a: string; b: string };
export type DiffSides = { a: DiffBox; b: DiffBox };

/** not_found names the box that is missing, or is of another project. */
export async function readBoxSides(reader: Reader, { project_id, a, b }: Asked): Promise<DiffSides> {
  const rows = await read<SideRow>(reader, "diff_boxes", BOXES, [project_id, askableIds([a, b])]);
  return sidesOf(a, b, (id) => {
    const row = rows.find(({ box_id }) => box_id === id);
    if (!row) throw boxMissing(id);
    return row;
  });
}

/** not_found names the step that is missing, is of another project, or has sent nothing to a model. */
export async function readStepSides(reader: Reader, { project_id, a, b }: Asked): Promise<DiffSides> {
  const rows = await read<SideRow>(reader, "diff_steps", STEPS, [project_id, askableIds([a, b])]);
  return sidesOf(a, b, (id) => {
    const row = rows.find(({ step_id }) => step_id === id);
    if (!row)
      throw new KernelError(
        "not_found",
        `step ${id} not found in project ${project_id}, or its request was not recorded. The turn's page lists its steps`,
        { step_id: id },
      );
    return row;
  });
}

const sidesOf = (a: string, b: string, find: (id: string) => SideRow): DiffSides => ({
  a: sideOf(find(a)),
  b: sideOf(find(b)),
});

export const sideOf = ({ step_id, ordinal, turn, ...box }: SideRow): DiffBox => ({
  ...box,
  ...(turn && { turn }),
  ...(step_id !== null && { step_id }),
  ...(ordinal !== null && { ordinal }),
});
