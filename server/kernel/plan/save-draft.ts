// One person's working copy of a plan. It may be unfinished, but it has the shape of a plan. Who writes over a newer one is told,
// and nothing is lost.
import { KernelError } from "@/server/contract/errors";
import { DRAFTS_MAX, type DraftInput, type PlanDraft } from "@/server/contract/plan/plan-record";
import { sameJson } from "@/server/contract/same-json";
import { refuseBadText } from "@/server/contract/text";
import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { readProject } from "../roster/read-project";
import { withUnit } from "../unit";
import { parseBody } from "./parse-body";
import { DRAFT_COLUMNS, type DraftRow, draftOf } from "./plan-record-row";
import { readPlan } from "./read-plans";

const COLUMNS = columnsOf(DRAFT_COLUMNS, "plan_drafts");
const CREATE = `
  INSERT INTO resource.plan_drafts (project_id, draft_id, plan_id, user_id, base_version, body, layout)
  VALUES ($1, $2, $3, $4, $5, $6::jsonb, $7::jsonb) ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`;
// Two at once each counted before the other was there.
const HOLD = "SELECT pg_advisory_xact_lock(hashtextextended('drafts ' || $1::text || ' ' || $2::text, 0))";
const COUNT = "SELECT count(*)::int AS n FROM resource.plan_drafts WHERE project_id = $1 AND user_id = $2";
const LOCK = `SELECT ${COLUMNS} FROM resource.plan_drafts WHERE project_id = $1 AND draft_id = $2 AND user_id = $3 FOR UPDATE`;
const SAVE = `
  UPDATE resource.plan_drafts SET body = $4::jsonb, layout = $5::jsonb, base_version = coalesce($6, base_version), rev = rev + 1,
    updated_at = now()
  WHERE project_id = $1 AND draft_id = $2 AND rev = $3 RETURNING ${COLUMNS}`;

const wentOn = (known: DraftRow): KernelError =>
  new KernelError("conflict", `rev: this draft was changed elsewhere: it is at rev ${known.rev}`, {
    draft: draftOf(known),
  });

const noDraft = (draft_id: string): KernelError => new KernelError("not_found", `draft ${draft_id} not found`);

/**
 * `plan` = the published plan that it is a draft of. conflict if the person has one of that plan already, or too many. `draft_id` = a
 * name that the client made: whoever lost the answer and asks again is answered as before, or, with another body, is told of the draft
 * that they have, in `detail.draft`.
 */
export async function createDraft(
  kernel: Kernel,
  input: DraftInput & { project_id: string; plan?: string; draft_id?: string },
): Promise<PlanDraft> {
  const { layout, ...body } = parseBody(input.body);
  refuseBadText({ plan: input.plan });
  await readProject(kernel, input.project_id);
  const plan_id = input.plan === undefined ? null : (await readPlan(kernel, { ...input, name: input.plan })).plan_id;
  return withUnit(kernel, async (unit) => {
    unit.send("drafts_hold", HOLD, [input.project_id, input.user]);
    const made = input.draft_id ?? unit.kernel.newId("draft_");
    const [known] = await unit.query<DraftRow>("draft_lock", LOCK, [input.project_id, made, input.user]);
    if (known && sameJson([known.body, known.layout], [body, layout])) return draftOf(known);
    if (known)
      throw new KernelError("conflict", `draft_id: draft ${made} already exists, at rev ${known.rev}; save over it`, {
        draft: draftOf(known),
      });
    const [kept] = await unit.query<{ n: number }>("drafts_count", COUNT, [input.project_id, input.user]);
    if (kept && kept.n >= DRAFTS_MAX)
      throw new KernelError(
        "conflict",
        `user: ${input.user} keeps ${kept.n} drafts in this project, at most ${DRAFTS_MAX}; delete one that is done with`,
      );
    const [row] = await unit.query<DraftRow>("draft_create", CREATE, [
      input.project_id,
      made,
      plan_id,
      input.user,
      input.base_version ?? null,
      JSON.stringify(body),
      JSON.stringify(layout),
    ]);
    if (!row)
      throw new KernelError(
        "conflict",
        plan_id === null
          ? `draft_id: ${made} is taken; choose another`
          : `user: ${input.user} has a draft of plan ${input.plan}; go on with that one`,
      );
    return draftOf(row);
  });
}

/** not_found for another person's draft too; conflict with the newer draft in `detail.draft`. */
export async function saveDraft(
  kernel: Kernel,
  input: DraftInput & { project_id: string; draft_id: string },
): Promise<PlanDraft> {
  const { layout, ...body } = parseBody(input.body);
  const { project_id, draft_id } = input;
  return withUnit(kernel, async (unit) => {
    const [known] = await unit.query<DraftRow>("draft_lock", LOCK, [project_id, draft_id, input.user]);
    if (!known) throw noDraft(draft_id);
    const [row] = await unit.query<DraftRow>("draft_save", SAVE, [
      project_id,
      draft_id,
      input.rev ?? 0,
      JSON.stringify(body),
      JSON.stringify(layout),
      input.base_version ?? null,
    ]);
    if (row) return draftOf(row);
    throw wentOn(known);
  });
}

const DELETE =
  "DELETE FROM resource.plan_drafts WHERE project_id = $1 AND draft_id = $2 AND user_id = $3 RETURNING draft_id";

/** `rev` = as it was read; conflict with the newer draft in `detail.draft` if it went on since. Absent = whatever it holds. */
export async function deleteDraft(
  kernel: Kernel,
  input: { project_id: string; draft_id: string; rev?: number; user: string },
): Promise<void> {
  const of = [input.project_id, input.draft_id, input.user];
  await withUnit(kernel, async (unit) => {
    const [known] = await unit.query<DraftRow>("draft_lock", LOCK, of);
    if (!known) throw noDraft(input.draft_id);
    if (input.rev !== undefined && input.rev !== known.rev) throw wentOn(known);
    await unit.query("draft_delete", DELETE, of);
  });
}
