// The settings of a profile's llm_config that are sent with each request. Read on upload, for warnings, and by the worker that
// calls the model; each message says what is accepted.
import * as z from "zod";
import { isRecord } from "./is-record";
import type { LlmConfig } from "./profile";

const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

const ToolChoice = z.union(
  [
    z.enum(["auto", "none", "required"]),
    // Some APIs call it "any".
    z.literal("any").transform(() => "required" as const),
    z
      .object({ type: z.literal("function"), function: z.object({ name: z.string().min(1) }) })
      .transform((choice) => ({ tool_name: choice.function.name })),
  ],
  { error: "write auto, none, required, or {type: function, function: {name: ...}}" },
);

export const ModelSettings = z
  .object({
    stream: z.boolean({ error: "write true or false" }).default(true),
    temperature: z.number({ error: "write a number from 0 to 2" }).min(0).max(2).optional(),
    top_p: z.number({ error: "write a number from 0 to 1" }).min(0).max(1).optional(),
    max_tokens: z
      .int({ error: "write the most tokens the answer may have, 1 to 10000000" })
      .min(1)
      .max(10_000_000)
      .optional(),
    seed: z.int({ error: "write a whole number" }).min(-999_999_999_999_999).max(999_999_999_999_999).optional(),
    stop: z
      .union([z.string().transform((one) => [one]), z.array(z.string())], { error: "write a text or a list of texts" })
      .optional(),
    reasoning_effort: z.enum(efforts, { error: `write one of ${efforts.join(", ")}` }).optional(),
    tool_choice: ToolChoice.optional(),
    api: z.enum(["chat", "responses"], { error: "write chat or responses" }).optional(),
    base_url: z.string({ error: "write a URL" }).optional(),
    context_window: z
      .int({ error: "write a whole number of tokens, such as 128000" })
      .min(1)
      .max(1_000_000_000)
      .optional(),
  })
  .strip();
export type ModelSettings = z.infer<typeof ModelSettings>;

/** Includes `provider_options`, and the names that other tools use. */
export function readModelSettings(config: LlmConfig) {
  const options = isRecord(config.provider_options) ? config.provider_options : {};
  // YAML's empty `temperature:` is null and means "not set".
  const given = Object.fromEntries(Object.entries({ ...options, ...config }).filter(([, value]) => value !== null));
  const base_url = given.base_url ?? given.api_base;
  return ModelSettings.safeParse({ ...given, max_tokens: given.max_tokens ?? given.max_completion_tokens, base_url });
}
