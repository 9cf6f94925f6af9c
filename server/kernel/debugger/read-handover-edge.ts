// The edges that made turns: who called, at which step, and which boxes stand for the three columns. One statement, however many
// turns.
import { KernelError } from "@/server/contract/errors";
import type { HandoverSheet } from "@/server/contract/handover-diff";
import type { TurnRef } from "@/server/contract/line";
import type { Receipt } from "@/server/contract/pack";
import { type Reader, read } from "../reader";

export const REF = (t: string) =>
  `jsonb_build_object('agent_turn_id', ${t}.agent_turn_id, 'root_turn_id', ${t}.root_turn_id, 'headcode', ${t}.headcode,
    'agent_id', ${t}.agent_id, 'profile_name', ${t}.profile_name, 'is_human', ${t}.is_human, 'status', ${t}.status,
    'title', ${t}.title, 'created_at', ${t}.created_at)`;

/** What REF tells of a turn. */
const TURN = "agent_turn_id, root_turn_id, headcode, agent_id, profile_name, is_human, status, title, created_at";

// Each look-up holds the next one: as plain joins, the turns of a young project were read whole for each set that alarms are looked for in.
const EDGE = `
  SELECT ${REF("t")} AS callee, CASE WHEN p.agent_turn_id IS NOT NULL THEN ${REF("p")} END AS caller,
    t.primitive, t.context_box_id, t.output_box_id, coalesce(t.output_start, 0) AS output_start, t.parent_step_id, t.parent_tool_call_id,
    p.context_box_id AS caller_context_box_id, p.output_box_id AS caller_output_box_id,
    s.request_box_id AS caller_request_box_id, s.ordinal AS caller_ordinal,
    f.request_box_id AS forked_request_box_id, f.ordinal AS forked_ordinal,
    q.request_box_id, q.step_id, b.receipt
  FROM (SELECT ${TURN}, primitive, context_box_id, output_box_id, output_start, parent_turn_id, parent_step_id, parent_tool_call_id, forked_from
    FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = ANY ($2::text[]) OFFSET 0) t
  CROSS JOIN LATERAL (SELECT receipt FROM card_boxes WHERE tenant_id = $1 AND box_id = t.context_box_id OFFSET 0) b
  LEFT JOIN LATERAL (SELECT ${TURN}, context_box_id, output_box_id FROM state.agent_turns
    WHERE project_id = $1 AND agent_turn_id = t.parent_turn_id OFFSET 0) p ON true
  LEFT JOIN LATERAL (SELECT request_box_id, ordinal FROM state.agent_steps
    WHERE project_id = $1 AND step_id = t.parent_step_id AND agent_turn_id = p.agent_turn_id OFFSET 0) s ON true
  LEFT JOIN LATERAL (SELECT request_box_id, ordinal FROM state.agent_steps
    WHERE project_id = $1 AND step_id = t.forked_from ->> 'step_id' AND agent_turn_id = t.forked_from ->> 'agent_turn_id' OFFSET 0) f ON true
  LEFT JOIN LATERAL (SELECT q.request_box_id, q.step_id FROM state.agent_steps q
    WHERE q.project_id = $1 AND q.agent_turn_id = t.agent_turn_id AND q.request_box_id IS NOT NULL
    ORDER BY q.ordinal, q.step_id LIMIT 1) q ON true`;

export type HandoverEdge = {
  callee: TurnRef;
  caller: TurnRef | null;
  primitive: HandoverSheet["primitive"];
  context_box_id: string;
  output_box_id: string | null;
  output_start: number;
  parent_step_id: string | null;
  parent_tool_call_id: string | null;
  caller_context_box_id: string | null;
  caller_output_box_id: string | null;
  caller_request_box_id: string | null;
  caller_ordinal: number | null;
  forked_request_box_id: string | null;
  forked_ordinal: number | null;
  request_box_id: string | null;
  step_id: string | null;
  receipt: Receipt | null;
};

/** Turns that are not found are left out. */
export const readHandoverEdges = (
  reader: Reader,
  { project_id, agent_turn_ids }: { project_id: string; agent_turn_ids: readonly string[] },
): Promise<HandoverEdge[]> => read<HandoverEdge>(reader, "handover_edges", EDGE, [project_id, agent_turn_ids]);

/** not_found for an unknown turn and for one of another project alike. */
export async function readHandoverEdge(
  reader: Reader,
  { project_id, agent_turn_id }: { project_id: string; agent_turn_id: string },
): Promise<HandoverEdge> {
  const [edge] = await readHandoverEdges(reader, { project_id, agent_turn_ids: [agent_turn_id] });
  if (!edge) throw new KernelError("not_found", `turn ${agent_turn_id} not found in project ${project_id}`);
  return edge;
}
