// Plans: published versions and drafts. A plan is sent as JSON or YAML.
import * as z from "zod";
import { listAnswer, pageAnswer } from "@/server/contract/answers/page";
import {
  LiftedPlan,
  PlanCheck,
  PlanDiff,
  PlanDraft,
  PlanDraftLine,
  PlanRecord,
  PlanVersion,
  PlanVersionLine,
  PublishedPlan,
} from "@/server/contract/answers/plans";
import { KernelError } from "@/server/contract/errors";
import { User } from "@/server/contract/ids";
import { isRecord } from "@/server/contract/is-record";
import { PageQuery } from "@/server/contract/page";
import { diffPlans } from "@/server/contract/plan/diff-plans";
import { CheckInput, DraftInput, LiftInput, PublishInput } from "@/server/contract/plan/plan-record";
import { PlanText } from "@/server/contract/plan/written-plan";
import { shapeFault } from "@/server/contract/shape-fault";
import { hasBadText } from "@/server/contract/text";
import { changePlan, deletePlan } from "@/server/kernel/plan/change-plan";
import { checkLaunch } from "@/server/kernel/plan/check-launch";
import { liftPlan } from "@/server/kernel/plan/lift-plan";
import { parseBody } from "@/server/kernel/plan/parse-body";
import { publishPlan } from "@/server/kernel/plan/publish-plan";
import { listDrafts, readDraft } from "@/server/kernel/plan/read-drafts";
import { listPlanPage, listPlanVersions, readPlan, readPlanVersion } from "@/server/kernel/plan/read-plans";
import { createDraft, deleteDraft, saveDraft } from "@/server/kernel/plan/save-draft";
import { readProject } from "@/server/kernel/roster/read-project";
import { readOffers } from "@/server/kernel/tools/read-offers";
import { id, reply, route } from "../route";

/** A name that cannot be stored is nobody's. */
function named(params: Record<string, string>): { project_id: string; name: string } {
  const { name = "" } = params;
  const project_id = id(params, "project_id");
  if (hasBadText(name) || name.length > NAME_MAX)
    throw new KernelError("not_found", `plan ${name.slice(0, 80)} not found in project ${project_id}`);
  return { project_id, name };
}
const NAME_MAX = 120;
/** Described as a plan, or what CheckInput takes. */
const PlanToCheck = z.unknown().meta({ id: "PlanToCheck" });
const ByUser = z.strictObject({ user: User });
/** A plan as it is, and not a request that holds or names one. */
const isPlan = (body: unknown): boolean =>
  !isRecord(body) || "switchyard" in body || ("nodes" in body && !("plan" in body || "body" in body));
function asked(body: unknown): CheckInput {
  const parsed = CheckInput.safeParse(body);
  if (parsed.success) return parsed.data;
  const { path, message } = shapeFault(parsed.error);
  throw new KernelError("bad_request", path === "" ? message : `${path}: ${message}`, { path });
}

function versionOf(text: string | undefined): number {
  if (/^\d{1,7}$/.test(text ?? "")) return Number(text);
  throw new KernelError("not_found", `version ${text?.slice(0, 80)} not found; versions are counted from 1`);
}

/** A person may hand over any box of the project, so a check need not know who asks. */
const NOBODY_YET = "check";
const Name = z.string().trim().min(1).max(NAME_MAX);

const PlansQuery = PageQuery.extend({
  archived: z.enum(["true", "false"]).optional().describe("With archived ones."),
  limit: z.coerce.number().int().min(1).max(500).default(200),
}).strict();

export const planRoutes = [
  route({
    operationId: "listPlans",
    method: "GET",
    path: "/projects/{project_id}/plans",
    summary: "List the plans of a project by name",
    query: PlansQuery,
    answer: pageAnswer(PlanRecord),
    call: async ({ kernel, params, query }) => {
      const project_id = id(params, "project_id");
      await readProject(kernel, project_id);
      return listPlanPage(kernel, { ...query, project_id, archived: query.archived === "true" });
    },
  }),
  route({
    operationId: "checkPlan",
    method: "POST",
    path: "/projects/{project_id}/plans:check",
    summary:
      "Check a plan: every problem with its remedies, and what each wagon would be given. The body is a plan, or {plan or body, version?, inputs?, as?, nodes?, detail?, node?, results_of?}. Writes nothing",
    body: PlanToCheck,
    accepts: "plan",
    answer: PlanCheck,
    call: ({ kernel, params, body }) =>
      checkLaunch(kernel, {
        ...asked(isPlan(body) ? { body } : body),
        project_id: id(params, "project_id"),
        user: NOBODY_YET,
        offer: readOffers,
      }),
  }),
  route({
    operationId: "liftPlan",
    method: "POST",
    path: "/projects/{project_id}/plans:lift",
    summary: "Make a plan from work that was done: a turn, a batch, a launch or a plan run. Writes nothing",
    body: LiftInput,
    answer: LiftedPlan,
    call: ({ kernel, params, body }) => liftPlan(kernel, { project_id: id(params, "project_id"), ...body }),
  }),
  route({
    operationId: "createPlan",
    method: "POST",
    path: "/projects/{project_id}/plans",
    summary: "Publish a new plan as its version 1",
    query: z.strictObject({
      message: z.string().trim().max(500).default(""),
      accept_problems: z
        .enum(["true", "false"])
        .optional()
        .describe("Publish also when the project lacks what it names."),
      user: User,
    }),
    body: PlanText,
    accepts: "plan",
    answer: PublishedPlan,
    status: 201,
    call: async ({ kernel, params, query, body }) => {
      const { plan, version } = await publishPlan(kernel, {
        ...query,
        project_id: id(params, "project_id"),
        body,
        accept_problems: query.accept_problems === "true",
      });
      return reply(201, { plan, version });
    },
  }),
  route({
    operationId: "getPlan",
    method: "GET",
    path: "/projects/{project_id}/plans/{name}",
    summary: "Get a plan",
    answer: PlanRecord,
    call: ({ kernel, params }) => readPlan(kernel, named(params)),
  }),
  route({
    operationId: "changePlan",
    method: "PATCH",
    path: "/projects/{project_id}/plans/{name}",
    summary: "Rename, describe or archive a plan. Its versions stay as they are",
    body: z.strictObject({
      name: Name.optional(),
      description: z.string().max(500).optional(),
      archived: z.boolean().optional(),
    }),
    answer: PlanRecord,
    call: ({ kernel, params, body }) => changePlan(kernel, { ...named(params), change: body }),
  }),
  route({
    operationId: "deletePlan",
    method: "DELETE",
    path: "/projects/{project_id}/plans/{name}",
    summary: "Delete a plan and its versions. A plan with runs is archived instead",
    status: 204,
    call: async ({ kernel, params }) => {
      await deletePlan(kernel, named(params));
      return reply(204);
    },
  }),
  route({
    operationId: "listPlanVersions",
    method: "GET",
    path: "/projects/{project_id}/plans/{name}/versions",
    summary: "List the versions of a plan, newest first",
    answer: listAnswer(PlanVersionLine),
    call: async ({ kernel, params }) => ({ items: await listPlanVersions(kernel, named(params)) }),
  }),
  route({
    operationId: "publishPlan",
    method: "POST",
    path: "/projects/{project_id}/plans/{name}/versions",
    summary: "Publish the next version of a plan. The same body as the head is 200 and no new version",
    body: PublishInput.required({ base_version: true }),
    answer: PublishedPlan,
    status: 201,
    sameStatus: 200,
    call: async ({ kernel, params, body }) => {
      const { name, ...project } = named(params);
      const given = typeof body.body === "object" && body.body !== null ? { ...body.body, name } : body.body;
      const { plan, version, is_new } = await publishPlan(kernel, { ...project, ...body, body: given });
      return reply(is_new ? 201 : 200, { plan, version });
    },
  }),
  route({
    operationId: "diffPlanVersions",
    method: "GET",
    path: "/projects/{project_id}/plans/{name}/versions/{version}/diff/{other}",
    summary:
      "Compare two versions of a plan: what changed in each node, and the operations that make the first the other",
    answer: PlanDiff,
    call: async ({ kernel, params }) => {
      const [from, to] = await Promise.all(
        [params.version, params.other].map((version) =>
          readPlanVersion(kernel, { ...named(params), version: versionOf(version) }),
        ),
      );
      if (!from || !to) throw new Error("two versions were asked for and fewer came back");
      return diffPlans(parseBody({ ...from.body, layout: from.layout }), parseBody({ ...to.body, layout: to.layout }));
    },
  }),
  route({
    operationId: "getPlanVersion",
    method: "GET",
    path: "/projects/{project_id}/plans/{name}/versions/{version}",
    summary: "Get a version of a plan with its body",
    answer: PlanVersion,
    call: ({ kernel, params }) => readPlanVersion(kernel, { ...named(params), version: versionOf(params.version) }),
  }),
  route({
    operationId: "listPlanDrafts",
    method: "GET",
    path: "/projects/{project_id}/plan-drafts",
    summary: "List a person's drafts without their bodies, newest first",
    query: ByUser,
    answer: listAnswer(PlanDraftLine),
    call: async ({ kernel, params, query }) => {
      const project_id = id(params, "project_id");
      await readProject(kernel, project_id);
      return { items: await listDrafts(kernel, { project_id, ...query }) };
    },
  }),
  route({
    operationId: "createPlanDraft",
    method: "POST",
    path: "/projects/{project_id}/plan-drafts",
    summary: "Keep a draft: a working copy of one person's, which may be unfinished",
    body: DraftInput.omit({ rev: true }).extend({ plan: Name.optional() }).strict(),
    answer: PlanDraft,
    status: 201,
    call: async ({ kernel, params, body }) =>
      reply(201, await createDraft(kernel, { project_id: id(params, "project_id"), ...body })),
  }),
  route({
    operationId: "getPlanDraft",
    method: "GET",
    path: "/projects/{project_id}/plan-drafts/{draft_id}",
    summary: "Get a draft. Another person's looks missing",
    query: ByUser,
    answer: PlanDraft,
    call: ({ kernel, params, query }) =>
      readDraft(kernel, { project_id: id(params, "project_id"), draft_id: id(params, "draft_id"), ...query }),
  }),
  route({
    operationId: "savePlanDraft",
    method: "PUT",
    path: "/projects/{project_id}/plan-drafts/{draft_id}",
    summary: "Save a draft over the `rev` that was read; 409 with the newer draft if there is one",
    body: DraftInput.required({ rev: true }),
    answer: PlanDraft,
    call: ({ kernel, params, body }) =>
      saveDraft(kernel, { project_id: id(params, "project_id"), draft_id: id(params, "draft_id"), ...body }),
  }),
  route({
    operationId: "deletePlanDraft",
    method: "DELETE",
    path: "/projects/{project_id}/plan-drafts/{draft_id}",
    summary: "Delete a draft",
    query: ByUser,
    status: 204,
    call: async ({ kernel, params, query }) => {
      await deleteDraft(kernel, { project_id: id(params, "project_id"), draft_id: id(params, "draft_id"), ...query });
      return reply(204);
    },
  }),
];
