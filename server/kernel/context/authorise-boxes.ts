// Which boxes an agent may hand over (kernel.md 5.3), and which of them are there: one statement for all that are asked
// for. Refusals come before existence, so that nobody learns of a box by being refused.
import { KernelError } from "@/server/contract/errors";
import { type Reader, read } from "../cardbox/reader";
import { HUMAN_TARGET } from "../turns/turn-row";

export type AuthoriseInput = {
  project_id: string;
  source_agent_id: string;
  box_ids: string[];
  card_ids?: string[];
  /** Boxes that the kernel itself adds, such as a clone's source. */
  kernel_box_ids?: string[];
};

export type Grant = { is_allowed: boolean; is_there: boolean };

/** By id. `source_is_there` is false for an agent that is not in the roster; people are let in before they have a row. */
export type Grants = { boxes: Map<string, Grant>; cards: Map<string, Grant>; source_is_there: boolean };

// A person acts under a role: any box of the project. An agent that merely has such a name runs on a worker, and is none.
const isHuman = (agentId: string): boolean => agentId.startsWith("human_");

// Own head and pointers; context and output boxes of own turns; boxes of children's finished turns.
const mayHandOver = (box: string) => `(
    EXISTS (SELECT 1 FROM state.agent_state_head h WHERE h.project_id = $1 AND h.agent_id = $2
      AND ${box} IN (h.profile_box_id, h.context_box_id, h.output_box_id))
    OR EXISTS (SELECT 1 FROM state.agent_state_pointers p WHERE p.project_id = $1 AND p.agent_id = $2
      AND ${box} IN (p.memory_context_box_id, p.last_output_box_id))
    OR EXISTS (SELECT 1 FROM state.agent_turns t
      LEFT JOIN state.agent_turns p ON p.project_id = t.project_id AND p.agent_turn_id = t.parent_turn_id
      WHERE t.project_id = $1 AND (t.context_box_id = ${box} OR t.output_box_id = ${box})
        AND (t.agent_id = $2 OR (p.agent_id = $2 AND t.ended_at IS NOT NULL))))`;

const GRANTS = `
  WITH source AS (
    SELECT $3::boolean AND NOT EXISTS (SELECT 1 FROM resource.project_agents
      WHERE project_id = $1 AND agent_id = $2 AND worker_target <> '${HUMAN_TARGET}') AS is_person
  )
  SELECT 'box' AS kind, r.box_id AS id, b.box_id IS NOT NULL AS is_there, s.is_person OR ${mayHandOver("r.box_id")} AS is_allowed
  FROM source s CROSS JOIN unnest($4::text[]) AS r(box_id)
  LEFT JOIN card_boxes b ON b.tenant_id = $1 AND b.box_id = r.box_id
  UNION ALL
  SELECT 'card', r.card_id, c.card_id IS NOT NULL, s.is_person OR EXISTS (
    SELECT 1 FROM card_box_chunks k WHERE k.tenant_id = $1 AND k.card_ids @> ARRAY[r.card_id] AND ${mayHandOver("k.box_id")})
  FROM source s CROSS JOIN unnest($5::text[]) AS r(card_id)
  LEFT JOIN cards c ON c.tenant_id = $1 AND c.card_id = r.card_id
  UNION ALL
  SELECT 'agent', $2, true, s.is_person OR EXISTS (SELECT 1 FROM resource.project_agents WHERE project_id = $1 AND agent_id = $2)
  FROM source s`;

export async function readGrants(reader: Reader, input: Omit<AuthoriseInput, "kernel_box_ids">): Promise<Grants> {
  const { project_id, source_agent_id, box_ids, card_ids = [] } = input;
  const rows = await read<Grant & { kind: "box" | "card" | "agent"; id: string }>(reader, "handover_grants", GRANTS, [
    project_id,
    source_agent_id,
    isHuman(source_agent_id),
    [...new Set(box_ids)],
    [...new Set(card_ids)],
  ]);
  const of = (kind: string) => new Map(rows.filter((r) => r.kind === kind).map((r) => [r.id, r]));
  return { boxes: of("box"), cards: of("card"), source_is_there: rows.some((r) => r.kind === "agent" && r.is_allowed) };
}

/** Throws: bad_request for what may not be handed over, then not_found for what is not there; each names the id. */
export function refuseUngranted(grants: Grants, asked: Omit<AuthoriseInput, "project_id">): void {
  const { source_agent_id, box_ids, card_ids = [], kernel_box_ids = [] } = asked;
  if (!grants.source_is_there)
    throw new KernelError("not_found", `source_agent_id: agent ${source_agent_id} is not there`);
  for (const id of box_ids)
    if (!grants.boxes.get(id)?.is_allowed && !kernel_box_ids.includes(id))
      throw new KernelError("bad_request", `unauthorized box_id: ${id}`, { box_id: id });
  for (const id of card_ids)
    if (!grants.cards.get(id)?.is_allowed)
      throw new KernelError("bad_request", `unauthorized card_id: ${id}`, { card_id: id });
  for (const id of box_ids)
    if (!grants.boxes.get(id)?.is_there) throw new KernelError("not_found", `box ${id} is not there`, { box_id: id });
  for (const id of card_ids)
    if (!grants.cards.get(id)?.is_there) throw new KernelError("not_found", `card ${id} is not there`, { card_id: id });
}
