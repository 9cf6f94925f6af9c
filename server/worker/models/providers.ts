// Which providers there are, what a profile may call them, and which settings of the environment belong to each.
import type { Env } from "@/server/env";

/** Which of the SDK's clients speaks to it. */
type Client = "openai" | "anthropic" | "google" | "compatible";

type EnvName = keyof Env & string;

export type Provider = {
  client: Client;
  /** The first that is set is used; the first is the one that messages name. */
  keys: [EnvName, ...EnvName[]] | [];
  base_url_name: EnvName | null;
  base_url_default: string | null;
  /** A server of one's own may do without. */
  is_key_optional?: true;
};

export const providers = {
  openai: {
    client: "openai",
    keys: ["OPENAI_API_KEY"],
    base_url_name: "OPENAI_BASE_URL",
    base_url_default: "https://api.openai.com/v1",
  },
  anthropic: {
    client: "anthropic",
    keys: ["ANTHROPIC_API_KEY"],
    base_url_name: "ANTHROPIC_BASE_URL",
    base_url_default: "https://api.anthropic.com/v1",
  },
  google: {
    client: "google",
    keys: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
    base_url_name: "GOOGLE_GENERATIVE_AI_BASE_URL",
    base_url_default: "https://generativelanguage.googleapis.com/v1beta",
  },
  moonshot: {
    client: "compatible",
    keys: ["MOONSHOT_API_KEY"],
    base_url_name: "MOONSHOT_BASE_URL",
    base_url_default: "https://api.moonshot.ai/v1",
  },
  openrouter: {
    client: "compatible",
    keys: ["OPENROUTER_API_KEY"],
    base_url_name: "OPENROUTER_BASE_URL",
    base_url_default: "https://openrouter.ai/api/v1",
  },
  ollama: {
    client: "compatible",
    keys: ["OLLAMA_API_KEY"],
    base_url_name: "OLLAMA_BASE_URL",
    base_url_default: "http://127.0.0.1:11434/v1",
    is_key_optional: true,
  },
  vllm: {
    client: "compatible",
    keys: ["VLLM_API_KEY"],
    base_url_name: "VLLM_BASE_URL",
    base_url_default: null,
    is_key_optional: true,
  },
  "openai-compatible": {
    client: "compatible",
    keys: [],
    base_url_name: null,
    base_url_default: null,
    is_key_optional: true,
  },
} as const satisfies Record<string, Provider>;

export type ProviderName = keyof typeof providers;

/** Other spellings that are around. */
const aliases: Record<string, ProviderName> = {
  gemini: "google",
  "google-ai-studio": "google",
  claude: "anthropic",
  moonshotai: "moonshot",
  "ollama-chat": "ollama",
  "hosted-vllm": "vllm",
  "openai-like": "openai-compatible",
  "custom-openai": "openai-compatible",
};

export const providerNames = Object.keys(providers) as ProviderName[];

/** null for a name that nobody here answers to. */
export function providerNamed(name: string): ProviderName | null {
  const plain = name.trim().toLowerCase().replaceAll("_", "-");
  return Object.hasOwn(providers, plain) ? (plain as ProviderName) : (aliases[plain] ?? null);
}

export const providerOf = (name: ProviderName): Provider => providers[name];
