// A gate over envelopes: which inputs it waits for, and when it passes them on as one. The format is given: camelCase keys.
// Batches have a policy of their own (join-policy.ts).
import * as z from "zod";

const milliseconds = z.int().min(1).max(31_536_000_000);

const JoinGatePolicy = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("all") }),
  z.strictObject({ kind: z.literal("any") }),
  z.strictObject({ kind: z.literal("quorum"), k: z.int().min(1).max(10_000) }),
  /** All, or what has arrived after so many milliseconds. */
  z.strictObject({ kind: z.literal("timeout"), ms: milliseconds }),
]);

export const JoinGate = z.strictObject({
  type: z.literal("join_gate"),
  id: z.string(),
  policy: JoinGatePolicy,
  /** In this order they are passed on, whatever order they arrive in. */
  requiredInputs: z.array(z.strictObject({ fromNodeId: z.string(), edgeId: z.string() })).min(1),
  timeoutMs: milliseconds.optional(),
  /** Default: emit_partial. */
  onTimeout: z.enum(["emit_partial", "fail", "wait"]).optional(),
  /** composite = message, structured and artifacts of each input. The default. */
  outputSelector: z.enum(["composite", "message", "structured", "artifacts"]).optional(),
  /** A second payload of one edge waits for the next generation (queue, the default) or replaces the first (latest). */
  delivery: z.enum(["queue", "latest"]).optional(),
});
export type JoinGate = z.infer<typeof JoinGate>;

export const joinStatuses = ["complete", "partial", "timeout"] as const;
export type JoinStatus = (typeof joinStatuses)[number];
