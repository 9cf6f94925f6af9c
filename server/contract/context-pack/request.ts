// What people, agents and plans give as `context_pack`: a pack that exists, or what to build one from.
import * as z from "zod";
import { Id } from "../ids";
import { ArtifactName } from "./artifact-name";
import { Envelope } from "./envelope";
import { DateTime, Digest, UuidShape } from "./forms";
import { GivenObject, GivenToolPolicy } from "./given-object";
import { GlobalMode } from "./pack";
import { ExpandedReason, PackProfile } from "./sidecar";

/** Characters, not UTF-16 units. */
export const GOAL_MAX = 600;

/** An existing pack by name. With `sha256`, other bytes are refused. */
export const PackByRef = z.strictObject({ ref: ArtifactName, sha256: Digest.optional() });

export const PackById = z.strictObject({ pack_id: UuidShape });

export const packGoal = z
  .string()
  .min(1)
  .refine((goal) => goal.trim() !== "", { error: "is empty. Enter text" })
  .refine((goal) => [...goal].length <= GOAL_MAX, {
    error: `is longer than ${GOAL_MAX} characters. Shorten it to one to three sentences`,
  });

const path = z.string().min(1).max(1_024);

const toBuild = z.strictObject({
  goal: packGoal,
  definition_of_done: z.array(z.string().min(1)).max(100).optional(),
  mode: GlobalMode.default("implementation"),
  /** The name of a registered workspace. */
  workspace: z.string().min(1).max(128).optional(),
  /** Words to look for in the workspace. Default: the goal. */
  search: z.string().min(1).max(1_024).optional(),
  /** Files that matter most. They count as if a failure named them. */
  files: z.array(path).max(100).optional(),
  docs_root: path.optional(),
  from_boxes: z.array(Id).max(100).optional(),
  from_cards: z.array(Id).max(1_000).optional(),
  decisions_from: z.array(UuidShape).max(100).optional(),
  constraints: GivenObject.optional(),
  tool_policy: GivenToolPolicy.optional(),
  output_schema_ref: path.optional(),
  profile: PackProfile.default("routine"),
  reason: ExpandedReason.optional(),
  node_id: z.string().min(1).max(256).optional(),
});

type Sized = { profile: PackProfile; reason?: ExpandedReason };
const hasReason = ({ profile, reason }: Sized): boolean => profile !== "expanded" || reason !== undefined;
const noReason = {
  path: ["reason"],
  error: `is missing. The profile expanded needs one of ${ExpandedReason.options.join(", ")}`,
};

export const PackToBuild = toBuild.refine(hasReason, noReason);
export type PackToBuild = z.infer<typeof PackToBuild>;

/** Over REST. Agents are not offered the rest: who may read an artifact by its name is not settled for them. */
export const PackToBuildOverRest = toBuild
  .extend({
    from_artifacts: z.array(ArtifactName).max(100).optional().describe("Text: Markdown, JSON, logs."),
    evidence_from: z
      .array(Id)
      .min(1)
      .max(20)
      .optional()
      .describe("Turns whose tools failed, or changed files. What failed and still does is evidence."),
    evidence_since: DateTime.refine((time) => !Number.isNaN(Date.parse(time)), {
      error: "is not a valid date and time. Use a form such as 2026-01-31T09:30:00Z",
    })
      .optional()
      .describe("Takes everything that happened in these turns after this time, instead of only what still fails."),
    envelopes: z.array(Envelope).max(1_000).optional().describe("Results of other nodes that this one starts from."),
  })
  .strict()
  .refine(hasReason, noReason)
  .refine(({ evidence_from, evidence_since }) => evidence_since === undefined || evidence_from !== undefined, {
    path: ["evidence_from"],
    error: "is required with evidence_since. Name the turns to look at",
  });
export type PackToBuildOverRest = z.infer<typeof PackToBuildOverRest>;

export const ContextPackRequest = z.union([PackByRef, PackById, PackToBuild]);
export type ContextPackRequest = z.infer<typeof ContextPackRequest>;
/** As a client writes it: fields with a default are optional. */
export type ContextPackRequestInput = z.input<typeof ContextPackRequest>;
