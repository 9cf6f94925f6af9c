// A profile's llm_config, in the notation that is around (`gemini/...`, `custom_llm_provider`), as one plain answer: which
// provider, which of its models, and how it is asked.
import * as z from "zod";
import { isRecord } from "@/server/contract/is-record";
import { type ModelName, modelNamed } from "@/server/contract/models";
import type { LlmConfig } from "@/server/contract/profile";
import { ModelError } from "./model";

const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

const ToolChoice = z.union(
  [
    z.enum(["auto", "none", "required"]),
    // Some say "any" for it.
    z.literal("any").transform(() => "required" as const),
    z
      .object({ type: z.literal("function"), function: z.object({ name: z.string().min(1) }) })
      .transform((choice) => ({ tool_name: choice.function.name })),
  ],
  { error: "write auto, none, required, or {type: function, function: {name: ...}}" },
);

const Given = z
  .object({
    stream: z.boolean({ error: "write true or false" }).default(true),
    temperature: z.number({ error: "write a number from 0 to 2" }).min(0).max(2).optional(),
    top_p: z.number({ error: "write a number from 0 to 1" }).min(0).max(1).optional(),
    max_tokens: z
      .int({ error: "write how many tokens the answer may have, 1 to 10000000" })
      .min(1)
      .max(10_000_000)
      .optional(),
    seed: z.int({ error: "write a whole number" }).optional(),
    stop: z.union([z.string().transform((one) => [one]), z.array(z.string())]).optional(),
    reasoning_effort: z.enum(efforts, { error: `write one of ${efforts.join(", ")}` }).optional(),
    tool_choice: ToolChoice.optional(),
    api: z.enum(["chat", "responses"], { error: "write chat or responses" }).optional(),
    base_url: z.string({ error: "write a URL" }).optional(),
    context_window: z.int().min(1).max(1_000_000_000).optional(),
  })
  .strip();

export type LlmSettings = z.infer<typeof Given> & ModelName;

/** Throws ModelError (model_config_invalid) that names the field and what to write there. */
export function parseLlmConfig(config: LlmConfig): LlmSettings {
  const options = isRecord(config.provider_options) ? config.provider_options : {};
  // YAML's `temperature:` with nothing behind it is null and means "not set".
  const given = Object.fromEntries(Object.entries({ ...options, ...config }).filter(([, value]) => value !== null));
  const base_url = given.base_url ?? given.api_base;
  const parsed = Given.safeParse({ ...given, max_tokens: given.max_tokens ?? given.max_completion_tokens, base_url });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw refusal(issue?.path.join(".") ?? "", issue?.message ?? "is malformed");
  }
  const named = modelNamed(config);
  if ("fault" in named) throw refusal(named.fault.field, named.fault.message);
  return { ...named, ...parsed.data };
}

const refusal = (field: string, message: string) =>
  new ModelError("model_config_invalid", `llm_config.${field}: ${message}`);
