// What a deletion removes, shown before it is confirmed. People's own turns, their agents and the built-in profile
// are not content, so they are not counted.
import { COUNTED_MAX } from "@/server/contract/bounds";
import { KernelError } from "@/server/contract/errors";
import type { ProjectContents } from "@/server/contract/project";
import type { Kernel } from "../kernel";
import { liveTurnsSql } from "../live-sql";
import { read } from "../reader";
import { HUMAN_PROFILE } from "../turns/turn-row";

/**
 * Counted as far as the page says it: a million cards took a second. In an order, so that an index of the project is read: without
 * one the table was, in which rows of other projects may stand first.
 */
const MAX = COUNTED_MAX + 1;

const CONTENTS = `
  SELECT p.run_count AS runs,
    (SELECT count(*)::int FROM (SELECT FROM state.agent_turns t WHERE t.project_id = $1 AND NOT t.is_human ORDER BY t.created_at DESC, t.agent_turn_id DESC LIMIT ${MAX}) n) AS turns,
    (SELECT count(*)::int FROM ${liveTurnsSql("$1")} l) AS running,
    (SELECT count(*)::int FROM (SELECT FROM resource.project_agents a WHERE a.project_id = $1 AND NOT a.is_human ORDER BY a.created_at DESC, a.agent_id DESC LIMIT ${MAX}) n) AS agents,
    (SELECT count(*)::int FROM resource.profiles r WHERE r.project_id = $1 AND r.name <> $2) AS profiles,
    (SELECT count(*)::int FROM (SELECT FROM resource.plans l WHERE l.project_id = $1 LIMIT ${MAX}) n) AS plans,
    (SELECT count(*)::int FROM (SELECT FROM card_boxes b WHERE b.tenant_id = $1 ORDER BY b.created_at DESC, b.box_id DESC LIMIT ${MAX}) n) AS boxes,
    (SELECT count(*)::int FROM (SELECT FROM cards c WHERE c.tenant_id = $1 ORDER BY c.created_at DESC, c.card_id DESC LIMIT ${MAX}) n) AS cards
  FROM projects p WHERE p.project_id = $1 AND p.removed_at IS NULL`;

export async function readProjectContents(kernel: Kernel, project_id: string): Promise<ProjectContents> {
  const rows = await read<ProjectContents>(kernel, "project_contents", CONTENTS, [project_id, HUMAN_PROFILE]);
  if (!rows[0]) throw new KernelError("not_found", `project ${project_id} not found`);
  return rows[0];
}
