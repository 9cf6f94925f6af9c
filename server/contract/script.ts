// The scripted model: a profile with `llm_config.provider: script` contains its answers, step by step.
// Deterministic, without key or network; the demo and the tests use it. See docs/scripted-model.md.
import * as z from "zod";

const pace = {
  /** How long the "model" takes before it answers. */
  wait_ms: z.int().min(0).max(600_000).optional(),
  /** Shown on the turn while it waits. */
  note: z.string().max(200).optional(),
  /** Skipped unless the instruction contains this text, ignoring case. */
  when: z.string().min(1).optional(),
};

const ScriptCall = z.strictObject({
  call: z.string().min(1),
  /** A text is sent unchanged, to try bad JSON. */
  arguments: z.union([z.record(z.string(), z.json()), z.string()]).default({}),
});

/**
 * One step = one call of the model; a bare wait is a pause before the next one. Texts may use {instruction}, {display_name},
 * {context_box_id}, {output_box_id} and {result.<n>.<path>}, the result of the turn's n-th tool call, from 1.
 */
export const ScriptStep = z.union(
  [
    z.strictObject({ think: z.string(), ...pace }),
    z.strictObject({ ...ScriptCall.shape, say: z.string().optional(), ...pace }),
    z.strictObject({ calls: z.array(ScriptCall).min(1).max(16), say: z.string().optional(), ...pace }),
    z.strictObject({ deliver: z.string(), ...pace }),
    z.strictObject({ fields: z.record(z.string(), z.string()), ...pace }),
    z.strictObject({ fail: z.string(), ...pace }),
    z.strictObject({ ...pace, wait_ms: z.int().min(0).max(600_000) }),
  ],
  {
    error:
      "a step is one of think, call, calls, deliver, fields, fail, each with wait_ms, note and when if you like, or wait_ms without any",
  },
);
export type ScriptStep = z.infer<typeof ScriptStep>;

export const Script = z.array(ScriptStep).min(1).max(200);
export type Script = z.infer<typeof Script>;
