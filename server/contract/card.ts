// A card: one immutable fact. Types and default roles as in docs/design/kernel.md 4.
import * as z from "zod";
import { ARTIFACTS_MAX, ArtifactRef, isPicture, pictureTokens } from "./artifact";
import { INT_MAX } from "./bounds";
import { Id } from "./ids";

export const Role = z.enum(["system", "user", "assistant", "tool"]);
export type Role = z.infer<typeof Role>;

const cardTypes = {
  "task.instruction": "user",
  "task.context": "user",
  "task.result_fields": "system",
  "task.deliverable": "assistant",
  "agent.thought": "assistant",
  "agent.error": "assistant",
  "tool.call": "assistant",
  "tool.result": "tool",
  "context.pack": "user",
  "sys.profile": "system",
  "sys.rendered_prompt": "system",
  "sys.tools": "system",
  "sys.must_end_with_required": "system",
  "meta.parent_pointer": "system",
  "meta.delegation_context": "system",
  /** A call as a person approved it: what was run. The model's own tool.call stays next to it. */
  "meta.approved_call": "system",
} as const satisfies Record<string, Role>;

/** Types outside the list are accepted (imports, foreign workers); they default to role user. */
// A type may be "toString", which every object has: such a card's role was a function, and no table accepted it.
export const defaultRole = (type: string): Role =>
  Object.hasOwn(cardTypes, type) ? ((cardTypes as Record<string, Role>)[type] ?? "user") : "user";

const resultStatus = z.enum(["success", "failed", "canceled", "timeout", "partial"]);

export const CardContent = z
  .discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("text"), text: z.string() }),
    z.strictObject({ kind: z.literal("json"), data: z.json() }),
    z.strictObject({
      kind: z.literal("fields_schema"),
      fields: z.array(z.object({ name: z.string().min(1), description: z.string() }).loose()),
    }),
    z.strictObject({ kind: z.literal("tool_call"), tool_name: z.string().min(1), arguments: z.json() }),
    z.strictObject({
      kind: z.literal("tool_result"),
      status: resultStatus,
      after_execution: z.enum(["suspend", "terminate"]).optional(),
      result: z.json().optional(),
      error: z.object({ code: z.string(), message: z.string() }).loose().optional(),
      /** Bytes that came with it. The result's text mentions them. */
      artifacts: z.array(ArtifactRef).max(ARTIFACTS_MAX).optional(),
    }),
  ])
  .meta({ id: "CardContent" });
export type CardContent = z.infer<typeof CardContent>;

/** Cards that sum up a join, and copies that an edit makes: their ids follow from what they say, so somebody could take them first. */
export const JOIN_CARD = "join_";
export const EDIT_CARD = "edit_";

/** What a caller gives. The store adds ids, hashes, counts and defaults. */
export const NewCard = z.strictObject({
  card_id: Id.refine((id) => !id.startsWith(JOIN_CARD) && !id.startsWith(EDIT_CARD), {
    error: `is an id of cards that Switchyard writes; choose one that does not begin with ${JOIN_CARD} or ${EDIT_CARD}`,
  }).optional(),
  type: z.string().min(1).max(64),
  content: z.union([z.string(), CardContent]),
  role: Role.optional(),
  author_id: z.string().max(256).optional(),
  tool_calls: z.array(z.json()).optional(),
  tool_call_id: z.string().max(256).optional(),
  ttl_seconds: z.int().min(1).max(INT_MAX).optional(),
  metadata: z.record(z.string(), z.json()).optional(),
});
export type NewCard = z.infer<typeof NewCard>;

/** Only the kernel assigns ids of calls. */
const isKernelsCall = (tool_call_id: string | undefined): boolean => tool_call_id?.startsWith("tc_") ?? false;

/** What listings, provenance and pages treat as facts: who wrote a card where, and what it stands for. */
const FACTS = [
  "agent_turn_id",
  "trace_id",
  "supersedes",
  "replaces",
  "stands_for",
  "redacted_from",
  "redactions",
  "context_pack",
  "request_id",
  "decided_by",
  "is_edited",
  "batch_id",
  "is_fallback",
  "inferred",
  "mark",
  "history_index",
  "client_call_id",
  "mended_text",
  "is_mended",
  "is_partial",
];
/** What only the turn's worker knows: the current step, and what its model needs sent back. */
const OF_TURN = ["step_id", "model_state", "script_step", "usage"];

/** Metadata from outside. An operator's card once passed as written by a turn. */
const givenMetadata = (kept: readonly string[]) =>
  z.record(z.string(), z.json()).superRefine((metadata, check) => {
    for (const key of kept.filter((one) => Object.hasOwn(metadata, one)))
      check.addIssue({ code: "custom", message: "is set by Switchyard; leave it out", path: [key] });
    if (typeof metadata.tool_call_id === "string" && isKernelsCall(metadata.tool_call_id))
      check.addIssue({
        code: "custom",
        message: "is the id of a Switchyard call; leave it out or use your own id",
        path: ["tool_call_id"],
      });
  });
export const GivenMetadata = givenMetadata([...FACTS, ...OF_TURN]);

/**
 * A card from outside. A call's result must be reported, since the report knows who waits for it: written as a card, it kept
 * the call from ever being answered.
 */
const givenCard = (metadata: typeof GivenMetadata) =>
  NewCard.extend({ metadata: metadata.optional() }).refine(
    (card) => card.type !== "tool.result" || !isKernelsCall(card.tool_call_id),
    {
      error:
        "is the id of a Switchyard call, whose result only POST tool-calls/{tool_call_id}:report writes; report it there, or use your own id",
      path: ["tool_call_id"],
    },
  );
export const GivenCard = givenCard(GivenMetadata);
/** Written by a turn's worker for that turn: `step_id` must be one of its steps. */
export const GivenByWorker = givenCard(givenMetadata(FACTS));

/** A deleted or expired card keeps id, type, author and weight; its content is gone (`gone` says how). */
export type Card = {
  card_id: string;
  project_id: string;
  type: string;
  role: Role;
  author_id: string;
  content: CardContent | null;
  gone?: "deleted" | "expired";
  tool_calls?: unknown[];
  tool_call_id?: string;
  ttl_seconds?: number;
  metadata: Record<string, unknown>;
  content_hash: string;
  /** Estimated tokens (o200k) of what is sent to a model. */
  token_count: number;
  created_at: string;
};

/** The artifacts that can be sent to a model as pictures. */
export const picturesIn = (content: CardContent | null): ArtifactRef[] =>
  content?.kind === "tool_result" ? (content.artifacts ?? []).filter(isPicture) : [];

/** Estimated, like all tokens. */
export const picturesWeight = (pictures: readonly ArtifactRef[]): number =>
  pictures.reduce((sum, picture) => sum + pictureTokens(picture), 0);

/** The text for people: text unchanged, everything else as indented JSON. */
export const contentText = (content: CardContent | null): string => textOf(content, 2);

/** The text for a model, with compact JSON: indented, a result of many short values took a third more tokens. */
export const sentText = (content: CardContent | null): string => textOf(content);

function textOf(content: CardContent | null, indent?: number): string {
  const json = (value: unknown) => JSON.stringify(value, null, indent);
  if (content === null) return "";
  if (content.kind === "text") return content.text;
  if (content.kind === "json") return json(content.data);
  if (content.kind === "fields_schema") return content.fields.map((f) => `${f.name}: ${f.description}`).join("\n");
  if (content.kind === "tool_call") return `${content.tool_name} ${json(content.arguments)}`;
  return json(content.error ?? content.result ?? null);
}
