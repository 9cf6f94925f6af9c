// Publishes a plan: a new one, or the next version of one. Versions are numbered and never change (K21). Who started from an
// older version is told what the head is, and nothing is written.
import { KernelError } from "@/server/contract/errors";
import { checkGraph } from "@/server/contract/plan/check-graph";
import type { Plan } from "@/server/contract/plan/plan";
import type { PlanRecord, PlanVersion, PublishInput } from "@/server/contract/plan/plan-record";
import { refuseBadText } from "@/server/contract/text";
import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { refuseDots } from "../refuse-dots";
import { readProject } from "../roster/read-project";
import { type Unit, withUnit } from "../unit";
import { checkPlan } from "./check-plan";
import { hashPlan } from "./hash-plan";
import { parseBody } from "./parse-body";
import { PLAN_COLUMNS, type PlanRow, planOf, VERSION_COLUMNS, type VersionRow, versionOf } from "./plan-record-row";
import { refuseProblems } from "./refuse-problems";

type Publish = Omit<PublishInput, "accept_problems"> & { project_id: string; accept_problems?: boolean };
export type Published = { plan: PlanRecord; version: PlanVersion; is_new: boolean };

const LOCK = `SELECT ${columnsOf(PLAN_COLUMNS, "plans")} FROM resource.plans WHERE project_id = $1 AND lower(name) = lower($2) FOR UPDATE`;
const HEAD = `SELECT ${columnsOf(VERSION_COLUMNS, "v")} FROM resource.plan_versions v WHERE project_id = $1 AND plan_id = $2 AND version = $3`;
const CREATE = `
  INSERT INTO resource.plans (project_id, plan_id, name, description, head_version, created_by) VALUES ($1, $2, $3, $4, 1, $5)
  ON CONFLICT DO NOTHING RETURNING ${columnsOf(PLAN_COLUMNS, "plans")}`;
const MOVE = `
  UPDATE resource.plans SET head_version = $3, description = $4, rev = rev + 1, updated_at = now()
  WHERE project_id = $1 AND plan_id = $2 RETURNING ${columnsOf(PLAN_COLUMNS, "plans")}`;
const ADD = `
  INSERT INTO resource.plan_versions (project_id, plan_id, version, body, layout, sha256, message, created_by)
  VALUES ($1, $2, $3, $4::jsonb, $5::jsonb, $6, $7, $8) RETURNING ${columnsOf(VERSION_COLUMNS, "plan_versions")}`;

/**
 * bad_request for a malformed body or one without a name; invalid_plan with all errors of the graph; plan_moved with the head
 * in `detail` when `base_version` is not the head; conflict for a new plan under a taken name.
 */
export async function publishPlan(kernel: Kernel, input: Publish): Promise<Published> {
  const plan = parseBody(input.body);
  refuseBadText({ message: input.message });
  if (plan.name === "")
    throw new KernelError("bad_request", "body.name is empty. Name the plan to publish it", { path: "body.name" });
  refuseDots(plan.name, "body.name");
  const { project_id } = input;
  await readProject(kernel, project_id);
  refuseProblems(checkGraph(plan, { fork_tasks_max: kernel.tunables.forkTasksMax }));
  if (!input.accept_problems) await refuseUnfit(kernel, project_id, plan, input.user);
  return withUnit(kernel, async (unit) => {
    const [known] = await unit.query<PlanRow>("plan_by_name", LOCK, [project_id, plan.name]);
    if (!known && input.base_version !== undefined)
      throw new KernelError("not_found", `plan ${plan.name} not found. Publish it without base_version to create it`);
    if (!known) {
      const plan_id = unit.kernel.newId("plan_");
      const [made] = await unit.query<PlanRow>("plan_create", CREATE, [
        project_id,
        plan_id,
        plan.name,
        plan.description,
        input.user,
      ]);
      if (!made) throw taken(plan.name);
      return { plan: planOf(made), version: await add(unit, made, input, plan), is_new: true };
    }
    if (known.archived_at !== null)
      throw new KernelError("conflict", `plan ${known.name} is archived. Restore it to publish a version`);
    // It keeps the name it was created under, however the request spells it.
    plan.name = known.name;
    const [head] = await unit.query<VersionRow>("plan_head", HEAD, [project_id, known.plan_id, known.head_version]);
    if (!head) throw new Error(`plan ${known.plan_id} has no version ${known.head_version}`);
    if (head.sha256 === hashPlan(plan) && input.base_version !== undefined)
      return { plan: planOf(known), version: versionOf(head), is_new: false };
    if (input.base_version === undefined) throw taken(plan.name);
    if (input.base_version !== known.head_version)
      throw new KernelError(
        "plan_moved",
        `base_version: plan ${known.name} is at version ${known.head_version}, and this one was made from ${input.base_version}. Compare the two, and publish from ${known.head_version}`,
        { head: versionOf(head) },
      );
    const version = known.head_version + 1;
    const [moved] = await unit.query<PlanRow>("plan_move", MOVE, [
      project_id,
      known.plan_id,
      version,
      plan.description,
    ]);
    if (!moved) throw new Error(`plan ${known.plan_id} was locked and could not be moved`);
    return { plan: planOf(moved), version: await add(unit, moved, input, plan), is_new: true };
  });
}

/** What the project lacks now. It is asked once more, because it may be added later. */
async function refuseUnfit(kernel: Kernel, project_id: string, plan: Plan, user: string): Promise<void> {
  const { problems } = await checkPlan(kernel, { project_id, plan, as: { user } });
  try {
    refuseProblems(problems);
  } catch (error) {
    if (!(error instanceof KernelError)) throw error;
    throw new KernelError(error.code, `${error.message} Give accept_problems to publish it all the same`, {
      ...error.detail,
      can_accept: true,
    });
  }
}

async function add(unit: Unit, row: PlanRow, input: Publish, plan: Plan): Promise<PlanVersion> {
  const { layout, ...body } = plan;
  const [version] = await unit.query<VersionRow>("plan_version_add", ADD, [
    row.project_id,
    row.plan_id,
    row.head_version,
    JSON.stringify(body),
    JSON.stringify(layout),
    hashPlan(plan),
    input.message,
    input.user,
  ]);
  if (!version) throw new Error("a version was inserted and did not come back");
  return versionOf(version);
}

const taken = (name: string): KernelError =>
  new KernelError(
    "conflict",
    `body.name: a plan named ${name} exists. Publish its next version with POST /plans/${encodeURIComponent(name)}/versions and base_version, or choose another name`,
    {
      path: "body.name",
    },
  );
