// The plans of a project and their versions.
import { KernelError } from "@/server/contract/errors";
import type { Page } from "@/server/contract/page";
import type { Plan } from "@/server/contract/plan/plan";
import type { PlanRecord, PlanVersion, PlanVersionLine } from "@/server/contract/plan/plan-record";
import { hasBadText } from "@/server/contract/text";
import { columnsOf } from "../columns";
import { type Reader, read } from "../reader";
import {
  PLAN_COLUMNS,
  type PlanRow,
  planOf,
  VERSION_COLUMNS,
  VERSION_LINE_COLUMNS,
  type VersionLineRow,
  type VersionRow,
  versionLineOf,
  versionOf,
} from "./plan-record-row";

const PLANS = `
  SELECT ${columnsOf(PLAN_COLUMNS, "p")} FROM resource.plans p
  WHERE p.project_id = $1 AND ($2::boolean OR p.archived_at IS NULL) ORDER BY lower(p.name) LIMIT 1000`;
// Names are unique in a project whatever their case, and an index has them in this order.
const PAGE = `
  SELECT ${columnsOf(PLAN_COLUMNS, "p")} FROM resource.plans p
  WHERE p.project_id = $1 AND ($2::boolean OR p.archived_at IS NULL) AND lower(p.name) > lower($3)
  ORDER BY lower(p.name) LIMIT $4`;
const PLAN = `SELECT ${columnsOf(PLAN_COLUMNS, "p")} FROM resource.plans p WHERE p.project_id = $1 AND lower(p.name) = lower($2)`;
const VERSIONS = `
  SELECT ${columnsOf(VERSION_LINE_COLUMNS, "v")} FROM resource.plan_versions v
  WHERE v.project_id = $1 AND v.plan_id = $2 ORDER BY v.version DESC LIMIT 1000`;
const VERSION = `
  SELECT ${columnsOf(VERSION_COLUMNS, "v")} FROM resource.plan_versions v WHERE v.project_id = $1 AND v.plan_id = $2 AND v.version = $3`;

const RUNNABLE = `
  SELECT p.name, p.description, v.body -> 'inputs' AS inputs FROM resource.plans p
  JOIN resource.plan_versions v ON v.project_id = p.project_id AND v.plan_id = p.plan_id AND v.version = p.head_version
  WHERE p.project_id = $1 AND p.archived_at IS NULL AND v.body #> '{run_by,profiles}' ? $2 ORDER BY lower(p.name) LIMIT 100`;

type OfProject = { project_id: string };

/** By name. Archived ones only on request. */
export async function listPlans(reader: Reader, input: OfProject & { archived?: boolean }): Promise<PlanRecord[]> {
  const rows = await read<PlanRow>(reader, "plans", PLANS, [input.project_id, input.archived ?? false]);
  return rows.map(planOf);
}

/** One page by name. bad_request for a malformed cursor. */
export async function listPlanPage(
  reader: Reader,
  input: OfProject & { archived?: boolean; limit: number; cursor?: string },
): Promise<Page<PlanRecord>> {
  const { project_id, archived = false, limit, cursor } = input;
  const after = cursor === undefined ? "" : Buffer.from(cursor, "base64url").toString();
  if (after.length > NAME_CHARS_MAX || hasBadText(after) || (cursor !== undefined && after === ""))
    throw new KernelError("bad_request", "cursor is malformed; leave it out to start from the beginning");
  const rows = await read<PlanRow>(reader, "plans_page", PAGE, [project_id, archived, after, limit + 1]);
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    items: rows.slice(0, limit).map(planOf),
    ...(last && { next_cursor: Buffer.from(last.name).toString("base64url") }),
  };
}
const NAME_CHARS_MAX = 120;

/** not_found for an unknown plan and for one of another project alike. */
export async function readPlan(reader: Reader, input: OfProject & { name: string }): Promise<PlanRecord> {
  const [row] = await read<PlanRow>(reader, "plan", PLAN, [input.project_id, input.name.trim()]);
  if (!row) throw new KernelError("not_found", `plan ${input.name} not found in project ${input.project_id}`);
  return planOf(row);
}

/** Newest first. */
export async function listPlanVersions(
  reader: Reader,
  input: OfProject & { name: string },
): Promise<PlanVersionLine[]> {
  const { plan_id } = await readPlan(reader, input);
  const rows = await read<VersionLineRow>(reader, "plan_versions", VERSIONS, [input.project_id, plan_id]);
  return rows.map(versionLineOf);
}

/** Absent = the newest. */
export async function readPlanVersion(
  reader: Reader,
  input: OfProject & { name: string; version?: number },
): Promise<PlanVersion> {
  return versionIn(reader, input, await readPlan(reader, input));
}

/** To launch it: conflict for an archived plan. `run_by`: the profiles of the newest version, whichever is launched. */
export async function readLaunchable(
  reader: Reader,
  input: OfProject & { name: string; version?: number },
): Promise<PlanVersion & { run_by: string[] }> {
  const plan = await readPlan(reader, input);
  if (plan.archived_at !== undefined)
    throw new KernelError("conflict", `plan: ${plan.name} is archived. Restore it to launch it`, { path: "plan" });
  const version = await versionIn(reader, input, plan);
  const head =
    version.version === plan.head_version
      ? version
      : await versionIn(reader, { ...input, version: plan.head_version }, plan);
  return { ...version, run_by: head.body.run_by.profiles };
}

async function versionIn(
  reader: Reader,
  input: OfProject & { version?: number },
  plan: PlanRecord,
): Promise<PlanVersion> {
  const version = input.version ?? plan.head_version;
  const [row] = await read<VersionRow>(reader, "plan_version", VERSION, [input.project_id, plan.plan_id, version]);
  if (!row)
    throw new KernelError(
      "not_found",
      `version: plan ${plan.name} has no version ${version}; the newest is ${plan.head_version}`,
    );
  return versionOf(row);
}

export type RunnablePlan = Pick<PlanRecord, "name" | "description"> & { inputs: Plan["inputs"] };

/** The newest versions that agents of a profile may launch, by name, up to 100. */
export const listRunnablePlans = (
  reader: Reader,
  { project_id, profile_name }: OfProject & { profile_name: string },
): Promise<RunnablePlan[]> => read<RunnablePlan>(reader, "plans_runnable", RUNNABLE, [project_id, profile_name]);
