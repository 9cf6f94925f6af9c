// Which model speaks for a profile.
import type { LlmConfig } from "@/server/contract/profile";
import { type Model, ModelError } from "./model";
import { scriptModel } from "./script-model";

/** By `llm_config.provider`. */
export type Models = Record<string, Model>;

export const builtInModels: Models = { script: scriptModel };

/** Throws ModelError with the remedy: a turn that nobody can think for must not wait. */
export function modelFor(models: Models, { provider, model }: LlmConfig): Model {
  const found = provider !== undefined && Object.hasOwn(models, provider) ? models[provider] : undefined;
  if (found) return found;
  const asked =
    provider === undefined
      ? `no provider is given${model ? ` (model ${model})` : ""}`
      : `provider ${provider} has no model in this version`;
  throw new ModelError("bad_request", `llm_config: ${asked}; use provider: script`);
}
