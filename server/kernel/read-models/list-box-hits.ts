// The list of boxes as people read it: each with the turn that reads or writes it.
import type { Page } from "@/server/contract/page";
import type { BoxHit } from "@/server/contract/search";
import { type BoxQuery, listBoxes } from "../cardbox/list-boxes";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { readProject } from "../roster/read-project";

// A context box is packed before its turn exists, so the turn names it and not the other way round. An imported log
// belongs to the root turn that was created for it, under a person.
const OWNERS = `
  SELECT t.agent_turn_id, t.agent_id, t.context_box_id, t.headcode AS owner_headcode, t.profile_name AS owner_profile_name, t.title AS owner_title,
    r.number AS run_number
  FROM state.agent_turns t
  JOIN state.runs r ON r.project_id = t.project_id AND r.root_turn_id = t.root_turn_id
  WHERE t.project_id = $1 AND (t.agent_turn_id = ANY ($2) OR t.context_box_id = ANY ($4)
    OR (t.agent_id = ANY ($3) AND t.parent_turn_id IS NULL))`;

type OwnerRow = Required<Pick<BoxHit, "owner_headcode" | "owner_profile_name" | "owner_title" | "run_number">> & {
  agent_turn_id: string;
  agent_id: string;
  context_box_id: string;
};

/** bad_request for a cursor of another project, not_found for an unknown project. */
export async function listBoxHits(kernel: Kernel, query: BoxQuery): Promise<Page<BoxHit>> {
  const [page] = await Promise.all([listBoxes(kernel, query), readProject(kernel, query.project_id)]);
  const turnIds = page.items.flatMap((box) => box.owner_turn_id ?? []);
  const agentIds = page.items.flatMap((box) => (box.kind === "import" ? (box.owner_agent_id ?? []) : []));
  const boxIds = page.items.map((box) => box.box_id);
  const rows = await read<OwnerRow>(kernel, "box_owners", OWNERS, [query.project_id, turnIds, agentIds, boxIds]);
  const byTurn = new Map(rows.map((row) => [row.agent_turn_id, row]));
  const byContext = new Map(rows.map((row) => [row.context_box_id, row]));
  const byAgent = new Map(rows.map((row) => [row.agent_id, row]));
  const items = page.items.map((box): BoxHit => {
    const owner =
      byTurn.get(box.owner_turn_id ?? "") ??
      byContext.get(box.box_id) ??
      (box.kind === "import" ? byAgent.get(box.owner_agent_id ?? "") : undefined);
    const { box_id, kind, length, token_sum, consist, created_at } = box;
    const hit = { box_id, kind, length, token_sum, consist, created_at };
    if (!owner) return hit;
    const { agent_turn_id: _turn, agent_id: _agent, context_box_id: _context, ...names } = owner;
    return { ...hit, ...names };
  });
  return { ...page, items };
}
