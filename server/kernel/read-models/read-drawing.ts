// Opens a plan in the composer. A person's draft comes before the newest version; a version that is asked for by number comes
// before the draft.
import type { DrawingSheet } from "@/server/contract/plan/drawing-sheet";
import type { PlanDraft, PlanRecord } from "@/server/contract/plan/plan-record";
import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { DRAFT_COLUMNS, type DraftRow, draftOf, PLAN_COLUMNS, type PlanRow, planOf } from "../plan/plan-record-row";
import { readDraft } from "../plan/read-drafts";
import { readPlan, readPlanVersion } from "../plan/read-plans";
import { read } from "../reader";
import { readProject } from "../roster/read-project";

const BY_ID = `SELECT ${columnsOf(PLAN_COLUMNS, "p")} FROM resource.plans p WHERE p.project_id = $1 AND p.plan_id = $2`;
const OWN = `
  SELECT ${columnsOf(DRAFT_COLUMNS, "d")} FROM resource.plan_drafts d
  WHERE d.project_id = $1 AND d.plan_id = $2 AND d.user_id = $3`;
const OTHERS = `
  SELECT DISTINCT d.user_id FROM resource.plan_drafts d
  WHERE d.project_id = $1 AND d.plan_id = $2 AND d.user_id <> $3 ORDER BY d.user_id LIMIT 50`;

type Asked = { project_id: string; user: string; plan?: string; version?: number; draft_id?: string };

/** not_found for a plan, version or draft that is not there, of another project, or another person's. */
export async function readDrawing(kernel: Kernel, asked: Asked): Promise<DrawingSheet> {
  const { project_id, user, draft_id } = asked;
  await readProject(kernel, project_id);
  const given = draft_id === undefined ? null : await readDraft(kernel, { project_id, user, draft_id });
  const plan =
    asked.plan === undefined
      ? await planOfDraft(kernel, project_id, given)
      : await readPlan(kernel, { project_id, name: asked.plan });
  if (plan === null) return { plan, draft: given, version: null, others: [] };
  const key = [project_id, plan.plan_id, user];
  const [own] = given || asked.version !== undefined ? [] : await read<DraftRow>(kernel, "draft_of_plan", OWN, key);
  const others = await read<{ user_id: string }>(kernel, "drafts_of_others", OTHERS, key);
  const draft = given ?? (own ? draftOf(own) : null);
  // A link may name a version that was never made: the newest is the nearest.
  const asked_for = asked.version === undefined ? undefined : Math.min(asked.version, plan.head_version);
  const version = await readPlanVersion(kernel, {
    project_id,
    name: plan.name,
    ...versionFor(asked_for ?? draft?.base_version),
  });
  return { plan, draft, version, others: others.map(({ user_id }) => user_id) };
}

const versionFor = (version: number | undefined): { version?: number } => (version === undefined ? {} : { version });

async function planOfDraft(kernel: Kernel, project_id: string, draft: PlanDraft | null): Promise<PlanRecord | null> {
  if (draft?.plan_id === undefined) return null;
  const [row] = await read<PlanRow>(kernel, "plan_by_id", BY_ID, [project_id, draft.plan_id]);
  return row ? planOf(row) : null;
}
