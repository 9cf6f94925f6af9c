// Reads a profile's llm_config in the common notations (`gemini/...`, `custom_llm_provider`): which provider, which of its
// models, and which settings.
import { type ModelSettings, readModelSettings } from "@/server/contract/model-settings";
import { type ModelName, modelNamed } from "@/server/contract/models";
import type { LlmConfig } from "@/server/contract/profile";
import { shapeFault } from "@/server/contract/shape-fault";
import { ModelError } from "./model";

export type LlmSettings = ModelSettings & ModelName;

/** Throws ModelError (model_config_invalid) that names the field and what to write there. */
export function parseLlmConfig(config: LlmConfig): LlmSettings {
  const parsed = readModelSettings(config);
  if (!parsed.success) {
    const { path, message } = shapeFault(parsed.error);
    throw refusal(path, message);
  }
  const named = modelNamed(config);
  if ("fault" in named) throw refusal(named.fault.field, named.fault.message);
  return { ...named, ...parsed.data };
}

const refusal = (field: string, message: string) =>
  new ModelError("model_config_invalid", `llm_config.${field}: ${message}`);
