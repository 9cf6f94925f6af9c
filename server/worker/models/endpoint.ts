// Where a request goes and which key it carries. A profile is data: its base_url is used only for hosts in the environment,
// and a key is sent only to the host it was set for.
import type { ProviderName } from "@/server/contract/models";
import type { Env } from "@/server/env";
import type { LlmSettings } from "./llm-settings";
import { ModelError } from "./model";
import { type Provider, providerOf } from "./providers";

/** OpenAI's two ways of asking: chat completions, which many servers speak, and responses, which few do. */
export type Api = "chat" | "responses";

export type Endpoint = {
  provider: ProviderName;
  base_url: string;
  /** The variable to set or fix if nothing answers there. */
  base_url_name: string;
  is_default_url: boolean;
  key: string | null;
  /** The variable to set or fix if the provider refuses the key. */
  key_name: string;
  /** null if the provider has only one API. */
  api: Api | null;
  /** Chat because this address has no /responses. */
  is_fallback?: true;
};

/** Throws ModelError that names the variable to set. */
export function endpointOf(settings: LlmSettings, env: Env): Endpoint {
  const facts = providerOf(settings.provider);
  const api = apiOf(settings, facts);
  const own = ownUrl(facts, env);
  const place =
    settings.base_url === undefined ? ownPlace(settings, facts, own, env) : profileUrl(settings, facts, own, env);
  return {
    ...place,
    base_url_name: settings.base_url === undefined ? (facts.base_url_name ?? "") : "llm_config.base_url",
    is_default_url: place.base_url === facts.base_url_default,
    api,
  };
}

function apiOf({ provider, api }: LlmSettings, { client }: Provider): Api | null {
  if (client === "openai") return api ?? "responses";
  if (client === "compatible") return api ?? "chat";
  if (api === undefined) return null;
  throw new ModelError("model_config_invalid", `llm_config.api: ${provider} has only one API. Leave this out`);
}

type Place = Pick<Endpoint, "provider" | "base_url" | "key" | "key_name">;

function ownPlace({ provider }: LlmSettings, facts: Provider, own: string | null, env: Env): Place {
  if (own === null)
    throw new ModelError(
      "model_config_invalid",
      facts.base_url_name
        ? `llm_config: ${provider} has no address; set ${facts.base_url_name} in the worker's environment`
        : `llm_config.base_url: ${provider} has no address; write one, and add its origin to SWITCHYARD_MODEL_URLS`,
    );
  return { provider, base_url: own, ...keyOf(provider, facts, env) };
}

function ownUrl({ base_url_name, base_url_default }: Provider, env: Env): string | null {
  const given = base_url_name === null ? undefined : env[base_url_name];
  if (typeof given !== "string") return base_url_default;
  const url = new URL(given);
  // Ollama's own tools give its address as http://127.0.0.1:11434; the API is under /v1.
  if (url.pathname === "/") url.pathname = base_url_default ? new URL(base_url_default).pathname : "/v1";
  return plain(url);
}

function keyOf(provider: ProviderName, { keys, is_key_optional }: Provider, env: Env) {
  for (const name of keys) {
    const key = env[name];
    if (typeof key === "string") return { key, key_name: name };
  }
  const key_name = keys[0] ?? "SWITCHYARD_MODEL_KEYS";
  if (is_key_optional) return { key: null, key_name };
  throw new ModelError(
    "model_auth_failed",
    `llm_config: ${provider} needs a key; set ${keys.join(" or ")} in the worker's environment`,
  );
}

function profileUrl({ provider, base_url = "" }: LlmSettings, facts: Provider, own: string | null, env: Env): Place {
  const refuse = (message: string) => new ModelError("model_config_invalid", `llm_config.base_url: ${message}`);
  if (facts.client !== "compatible")
    throw refuse(
      `${provider} has a fixed address; leave it out, set ${facts.base_url_name} in the worker's environment, or write provider: openai-compatible`,
    );
  const url = URL.canParse(base_url) ? new URL(base_url) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    throw refuse("write an http or https URL without a user or password in it");
  if (own !== null && new URL(own).origin === url.origin)
    return { provider, base_url: plain(url), ...keyOf(provider, facts, env) };
  const known = env.SWITCHYARD_MODEL_KEYS.find(({ origin }) => origin === url.origin);
  if (!known && !env.SWITCHYARD_MODEL_URLS.includes(url.origin))
    throw refuse(`${url.origin} is not an allowed host for models; add it to SWITCHYARD_MODEL_URLS`);
  return { provider, base_url: plain(url), key: known?.key ?? null, key_name: "SWITCHYARD_MODEL_KEYS" };
}

const plain = (url: URL): string => `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
