// Selects the model for a profile.
import { providerNames } from "@/server/contract/models";
import type { LlmConfig } from "@/server/contract/profile";
import { type Env, env } from "@/server/env";
import { parseLlmConfig } from "./llm-settings";
import type { Model } from "./model";
import { scriptModel } from "./script-model";
import { createSdkModel } from "./sdk-model";
import { type ModelTiming, modelTiming } from "./timing";

/** By provider. */
export type Models = Record<string, Model>;

/** Of another environment than the process's own, for tests that speak to servers of theirs. */
export function modelsOf(source: () => Env, timing: ModelTiming = modelTiming): Models {
  const sdk = createSdkModel({ env: source, timing });
  return { script: scriptModel, ...Object.fromEntries(providerNames.map((name) => [name, sdk])) };
}

export const builtInModels: Models = modelsOf(env);

/** Throws ModelError with the remedy: a turn without a model must not wait. */
export function modelFor(models: Models, config: LlmConfig): Model {
  const { provider } = config;
  if (provider !== undefined && Object.hasOwn(models, provider)) {
    const found = models[provider];
    if (found) return found;
  }
  const found = models[parseLlmConfig(config).provider];
  if (!found) throw new Error(`a provider is listed without a model: ${parseLlmConfig(config).provider}`);
  return found;
}
