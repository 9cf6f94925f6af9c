// The facts of a delegation, as stored in the meta.delegation_context card: who called whom, why, and the chain from the
// person. They come from execution records, never from a model's arguments; the text for the model is rendered from them.
// The branches of a fork are told the same but for who they are, so they share one card: it lists them, and whoever reads it
// for a turn picks that turn's own (kernel/context/pick-facts.ts). Cards written before that have one target each.
import * as z from "zod";
import { INT_MAX } from "./bounds";

/** What started the root turn: the first word of every chain. `unknown` = the lineage's records are broken. */
export const RootOrigin = z.enum(["human", "api", "mcp", "schedule", "autonomous", "unknown"]);
export type RootOrigin = z.infer<typeof RootOrigin>;

const ChainAgent = z.object({
  agent_id: z.string(),
  agent_turn_id: z.string().optional(),
  name: z.string(),
  /** A clone keeps the id of its original. */
  derived_from: z.string().optional(),
  /** The same agent continues (a re-run, a fork of its turn): not a delegation to itself. */
  is_continuation: z.boolean().optional(),
});
export type ChainAgent = z.infer<typeof ChainAgent>;

/** What is the same for every child of one caller. */
const ofCaller = {
  parent_turn_id: z.string(),
  root_turn_id: z.string(),
  origin: RootOrigin,
  /** Why the origin is unknown: a caller's record is missing, or the callers form a cycle. */
  lineage_fault: z.enum(["missing", "cycle"]).optional(),
  /** Depth of the receiver; the person's root turn is 0. */
  depth: z.int().min(0).max(INT_MAX),
  caller: z.object({
    agent_id: z.string(),
    name: z.string(),
    description: z.string().optional(),
    is_human: z.boolean(),
  }),
  /** Agents between the root and the receiver, oldest first; the last one is the caller. People are not among them. */
  chain: z.array(ChainAgent),
  /** The person's latest message up to the branch point. */
  root_text: z.string().optional(),
  /** At the time of the call. */
  has_env_data: z.boolean(),
  env_manifest: z.array(z.object({ key: z.string(), short_description: z.string() })).optional(),
  /** The caller's last message. */
  caller_note: z.string().optional(),
};
const CallerFacts = z.object(ofCaller);
export type CallerFacts = z.infer<typeof CallerFacts>;

const taskIndex = z.int().min(0).max(INT_MAX);
const taskCount = z.int().min(1).max(INT_MAX);

/** Of one receiver: what a preamble is rendered from, and the form of cards that were written before branches shared one. */
export const DelegationFacts = z.object({
  schema_version: z.literal(1),
  ...ofCaller,
  target: ChainAgent,
  batch: z.object({ batch_id: z.string().optional(), task_index: taskIndex, task_count: taskCount }).optional(),
});
export type DelegationFacts = z.infer<typeof DelegationFacts>;

/** The most receivers that one card lists: each of them reads all of it. */
export const TARGETS_MAX = 64;

/** Of all receivers that have the same name. */
export const SharedFacts = z.object({
  schema_version: z.literal(2),
  ...ofCaller,
  target: z.object({ name: z.string(), derived_from: z.string().optional() }),
  batch: z.object({ batch_id: z.string().optional(), task_count: taskCount }).optional(),
  targets: z
    .array(
      z.object({
        agent_id: z.string(),
        task_index: taskIndex.optional(),
        /** The task it was told in front of. */
        instruction_card_id: z.string().optional(),
      }),
    )
    .min(1),
});
export type SharedFacts = z.infer<typeof SharedFacts>;

export const StoredFacts = z.discriminatedUnion("schema_version", [DelegationFacts, SharedFacts]);
export type StoredFacts = z.infer<typeof StoredFacts>;
