// Which boxes and cards somebody may hand over, whether they exist, and what they weigh: one statement that reads no contents.
import { heldIn } from "../cardbox/held-in";
import { type Reader, read } from "../reader";
import type { Grant } from "./authorise-boxes";
import { isHuman, mayHandOver } from "./read-handovers";

export type WeighedGrant = Grant & { tokens: number };
/** By id. */
export type WeighedGrants = { boxes: Map<string, WeighedGrant>; cards: Map<string, WeighedGrant> };

// OFFSET 0: looked up one by one, whatever the planner thinks of the tables.
const GRANTS = `
  WITH source AS (
    SELECT $3::boolean AND NOT EXISTS (SELECT 1 FROM resource.project_agents
      WHERE project_id = $1 AND agent_id = $2 AND NOT is_human) AS is_person
  )
  SELECT 'box' AS kind, r.id, b.box_id IS NOT NULL AS is_there, s.is_person OR ${mayHandOver("r.id")} AS is_allowed,
    coalesce(b.token_sum, 0) AS tokens
  FROM source s CROSS JOIN unnest($4::text[]) AS r(id)
  LEFT JOIN LATERAL (SELECT box_id, token_sum FROM card_boxes WHERE tenant_id = $1 AND box_id = r.id AND deletion_id IS NULL OFFSET 0) b ON true
  UNION ALL
  SELECT 'card', r.id, c.card_id IS NOT NULL, s.is_person OR EXISTS (
    SELECT 1 FROM ${heldIn("ARRAY[r.id]")} k WHERE ${mayHandOver("k.box_id")}),
    coalesce(c.token_count, 0)
  FROM source s CROSS JOIN unnest($5::text[]) AS r(id)
  LEFT JOIN LATERAL (SELECT card_id, token_count FROM cards WHERE tenant_id = $1 AND card_id = r.id OFFSET 0) c ON true`;

export async function readGrants(
  reader: Reader,
  input: { project_id: string; source_agent_id: string; box_ids: string[]; card_ids: string[] },
): Promise<WeighedGrants> {
  const { project_id, source_agent_id, box_ids, card_ids } = input;
  const grants: WeighedGrants = { boxes: new Map(), cards: new Map() };
  if (box_ids.length === 0 && card_ids.length === 0) return grants;
  const asked = [project_id, source_agent_id, isHuman(source_agent_id), [...new Set(box_ids)], [...new Set(card_ids)]];
  const rows = await read<WeighedGrant & { kind: "box" | "card"; id: string }>(reader, "grants_read", GRANTS, asked);
  for (const { kind, id, ...grant } of rows) (kind === "box" ? grants.boxes : grants.cards).set(id, grant);
  return grants;
}
