// The scripted model: a profile with `llm_config.provider: script` carries what it will "say", step by step.
// Deterministic, needs no key and no network; the demo and the tests run on it. docs/scripted-model.md explains it.
import * as z from "zod";

const wait_ms = z.int().min(0).max(600_000).optional();

/** One step = one call of the model. Texts may use {instruction}, {display_name} and {result.<n>.<path>}. */
export const ScriptStep = z.union([
  z.strictObject({ think: z.string(), wait_ms }),
  z.strictObject({
    call: z.string().min(1),
    arguments: z.record(z.string(), z.json()).default({}),
    say: z.string().optional(),
    wait_ms,
  }),
  z.strictObject({ wait_ms: z.int().min(0).max(600_000), note: z.string().optional() }),
  z.strictObject({ deliver: z.string(), wait_ms }),
  z.strictObject({ fields: z.record(z.string(), z.string()), wait_ms }),
  z.strictObject({ fail: z.string(), wait_ms }),
]);
export type ScriptStep = z.infer<typeof ScriptStep>;

export const Script = z.array(ScriptStep).min(1).max(200);
export type Script = z.infer<typeof Script>;
