// Which settings of the environment belong to each provider (contract/models.ts has their names).
import { type ModelClient, type ProviderName, providerClients } from "@/server/contract/models";
import type { Env } from "@/server/env";

type EnvName = keyof Env & string;

type Settings = {
  /** The first one that is set is used; messages name the first. */
  keys: [EnvName, ...EnvName[]] | [];
  base_url_name: EnvName | null;
  base_url_default: string | null;
  /** Your own server may need none. */
  is_key_optional?: true;
};

export type Provider = Settings & {
  /** Which of the SDK's clients to use. */
  client: ModelClient;
};

const settings = {
  openai: {
    keys: ["OPENAI_API_KEY"],
    base_url_name: "OPENAI_BASE_URL",
    base_url_default: "https://api.openai.com/v1",
  },
  anthropic: {
    keys: ["ANTHROPIC_API_KEY"],
    base_url_name: "ANTHROPIC_BASE_URL",
    base_url_default: "https://api.anthropic.com/v1",
  },
  google: {
    keys: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
    base_url_name: "GOOGLE_GENERATIVE_AI_BASE_URL",
    base_url_default: "https://generativelanguage.googleapis.com/v1beta",
  },
  moonshot: {
    keys: ["MOONSHOT_API_KEY"],
    base_url_name: "MOONSHOT_BASE_URL",
    base_url_default: "https://api.moonshot.ai/v1",
  },
  openrouter: {
    keys: ["OPENROUTER_API_KEY"],
    base_url_name: "OPENROUTER_BASE_URL",
    base_url_default: "https://openrouter.ai/api/v1",
  },
  ollama: {
    keys: ["OLLAMA_API_KEY"],
    base_url_name: "OLLAMA_BASE_URL",
    base_url_default: "http://127.0.0.1:11434/v1",
    is_key_optional: true,
  },
  vllm: {
    keys: ["VLLM_API_KEY"],
    base_url_name: "VLLM_BASE_URL",
    base_url_default: null,
    is_key_optional: true,
  },
  "openai-compatible": {
    keys: [],
    base_url_name: null,
    base_url_default: null,
    is_key_optional: true,
  },
} as const satisfies Record<ProviderName, Settings>;

export const providerOf = (name: ProviderName): Provider => ({ ...settings[name], client: providerClients[name] });
