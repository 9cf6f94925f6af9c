// The list of boxes as people read it: each with the turn that reads or writes it.
import type { Page } from "@/server/contract/page";
import type { BoxHit } from "@/server/contract/search";
import { type BoxQuery, listBoxes } from "../cardbox/list-boxes";
import { read } from "../cardbox/reader";
import type { Kernel } from "../kernel";
import { readProject } from "../roster/read-project";

// Imported logs belong to a person's root turn, which they do not name; it is the person's only one.
const OWNERS = `
  SELECT t.agent_turn_id, t.agent_id, t.headcode AS owner_headcode, t.profile_name AS owner_profile_name, t.title AS owner_title,
    r.number AS run_number
  FROM state.agent_turns t
  JOIN state.runs r ON r.project_id = t.project_id AND r.root_turn_id = t.root_turn_id
  WHERE t.project_id = $1 AND (t.agent_turn_id = ANY ($2) OR (t.agent_id = ANY ($3) AND t.parent_turn_id IS NULL))`;

type OwnerRow = Required<Pick<BoxHit, "owner_headcode" | "owner_profile_name" | "owner_title" | "run_number">> & {
  agent_turn_id: string;
  agent_id: string;
};

/** bad_request for a cursor of another project, not_found for an unknown project. */
export async function listBoxHits(kernel: Kernel, query: BoxQuery): Promise<Page<BoxHit>> {
  const [page] = await Promise.all([listBoxes(kernel, query), readProject(kernel, query.project_id)]);
  const turnIds = page.items.flatMap((box) => box.owner_turn_id ?? []);
  const agentIds = page.items.flatMap((box) => (box.kind === "import" ? (box.owner_agent_id ?? []) : []));
  const rows = await read<OwnerRow>(kernel, "box_owners", OWNERS, [query.project_id, turnIds, agentIds]);
  const byTurn = new Map(rows.map((row) => [row.agent_turn_id, row]));
  const byAgent = new Map(rows.map((row) => [row.agent_id, row]));
  const items = page.items.map((box): BoxHit => {
    const owner =
      byTurn.get(box.owner_turn_id ?? "") ?? (box.kind === "import" && byAgent.get(box.owner_agent_id ?? ""));
    const { box_id, kind, length, token_sum, consist, created_at } = box;
    const hit = { box_id, kind, length, token_sum, consist, created_at };
    if (!owner) return hit;
    const { agent_turn_id: _turn, agent_id: _agent, ...names } = owner;
    return { ...hit, ...names };
  });
  return { ...page, items };
}
