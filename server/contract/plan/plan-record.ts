// Plans as they are kept: the plan with its head, published versions, drafts; and how one is launched.
import * as z from "zod";
import { INT_MAX } from "../bounds";
import { Id, User } from "../ids";
import { PlanOp } from "./op";
import { INPUT_NAME, type Layout, NODES_MAX, NodeId, Place, type Plan } from "./plan";
import { PlanText } from "./written-plan";

export type PlanRecord = {
  plan_id: string;
  name: string;
  description: string;
  /** The newest version. */
  head_version: number;
  archived_at?: string;
  created_by: string;
  rev: number;
  created_at: string;
  updated_at: string;
};

export type PlanVersionLine = {
  plan_id: string;
  version: number;
  /** Of the canonical body, without layout. */
  sha256: string;
  message: string;
  created_by: string;
  created_at: string;
};
export type PlanVersion = PlanVersionLine & { body: Omit<Plan, "layout">; layout: Layout };

/** Of one person in one project: as many as a list shows. */
export const DRAFTS_MAX = 200;

/** What a list shows: a body may have 4 MiB. */
export type PlanDraftLine = Omit<PlanDraft, "body" | "layout"> & {
  /** Of the plan in it; may be empty. */
  name: string;
};

export type PlanDraft = {
  draft_id: string;
  /** Absent = of no published plan: it was never published, or was deleted. */
  plan_id?: string;
  user: string;
  base_version?: number;
  /** As it was sent: it may be unfinished, but it has the shape of a plan. */
  body: Omit<Plan, "layout">;
  layout: Layout;
  rev: number;
  created_at: string;
  updated_at: string;
};

export const PublishInput = z.strictObject({
  body: PlanText,
  /** The version it was made from. Absent = the plan is new. */
  base_version: z.number().int().min(1).max(1_000_000).optional(),
  message: z.string().trim().max(500).default(""),
  /** Publish also when the project lacks what the plan names: the world may be made to fit. Never with a broken graph. */
  accept_problems: z.boolean().default(false),
  user: User,
});
export type PublishInput = z.infer<typeof PublishInput>;

export const DraftInput = z.strictObject({
  body: PlanText,
  base_version: z.number().int().min(1).max(1_000_000).optional(),
  /** Of the draft as it was read. */
  rev: z.number().int().min(1).max(INT_MAX).optional(),
  user: User,
});
export type DraftInput = z.infer<typeof DraftInput>;

/** What is checked: a published plan or a body, as it would be launched. */
export const CheckInput = z
  .strictObject({
    plan: z.string().trim().min(1).max(120).optional(),
    version: z.number().int().min(1).max(1_000_000).optional(),
    body: PlanText.optional(),
    /** As a launch gives them. Absent = an input that is not filled in is no problem. */
    inputs: z.record(z.string().regex(INPUT_NAME, "is not the name of an input"), z.string().max(1_048_576)).optional(),
    /** Who launches it: an agent, bound by its policy and its boxes. Absent = a person. */
    as: z.strictObject({ agent_id: Id }).optional(),
    /** Only these nodes are packed. */
    nodes: z.array(NodeId).max(NODES_MAX).optional(),
    /** graph = what needs nothing but the plan. packs = also what each wagon would be given. prompt = also the text of one. */
    detail: z.enum(["graph", "packs", "prompt"]).default("packs"),
    /** With `detail: prompt`: a node or fork.task. */
    node: Place.optional(),
    /** A run whose recorded results stand in for those that are not there yet. */
    results_of: Id.optional(),
  })
  .refine(({ plan, body }) => (plan === undefined) !== (body === undefined), {
    error: "name a plan, or give a body",
    path: ["plan"],
  })
  .refine(({ detail, node }) => (detail === "prompt") === (node !== undefined), {
    error: "is given with detail: prompt, and only then",
    path: ["node"],
  });
export type CheckInput = z.infer<typeof CheckInput>;

export const LaunchPlanArgs = z
  .strictObject({
    /** Name of a published plan. */
    plan: z.string().trim().min(1).max(120).optional(),
    /** Absent = the newest. */
    version: z.number().int().min(1).max(1_000_000).optional(),
    /** A plan that is not published, instead of a name. */
    body: PlanText.optional(),
    inputs: z
      .record(z.string().regex(INPUT_NAME, "is not the name of an input"), z.string().max(1_048_576))
      .default({}),
    /** Each node waits for a person. */
    is_stepped: z.boolean().default(false),
  })
  .refine(({ plan, body }) => (plan === undefined) !== (body === undefined), {
    error: "name a plan, or give a body",
    path: ["plan"],
  });
export type LaunchPlanArgs = z.infer<typeof LaunchPlanArgs>;

/** An edit of a run that runs. */
export const EditRunInput = z.strictObject({
  /** Of the body that the operations were made on. */
  body_rev: z.number().int().min(1).max(INT_MAX),
  ops: z.array(PlanOp).min(1).max(1_000),
  reason: z.string().trim().max(2_000).default(""),
  user: User,
});

/** Exactly one: the work that a plan is made from. */
export const LiftInput = z.strictObject({
  agent_turn_id: Id.optional(),
  batch_id: Id.optional(),
  plan_run_id: Id.optional(),
});

/** A fork of a plan run: operations on its body, and what runs although nothing changed. */
export const ForkRunInput = z.strictObject({
  ops: z.array(PlanOp).max(1_000).default([]),
  /** Nodes, or tasks as fork.task. */
  force: z.array(Place).max(NODES_MAX).default([]),
  /** The same action_id is the same launch; with another request it is 409. */
  action_id: Id.optional(),
  dry_run: z.boolean().default(false),
  user: User,
});
export type ForkRunInput = z.infer<typeof ForkRunInput>;

export type LaunchPlanResult = {
  status: "suspended";
  plan_run_id: string;
  /** With the codes that their turns will have. */
  nodes: { node_id: string; headcodes: string[] }[];
};
