// The SDK's client for an endpoint. It never looks for keys itself, and every request goes through the `fetch` given here.

import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { ModelClient } from "@/server/contract/models";
import type { Endpoint } from "./endpoint";
import { providerOf } from "./providers";
import type { SdkModel } from "./sdk-types";

export type Fetch = typeof globalThis.fetch;

/** OpenAI-compatible servers accept less than OpenAI does, so they get the plain client for chat completions. */
export function clientOf({ provider, api, is_default_url }: Endpoint): ModelClient {
  const { client } = providerOf(provider);
  if (client === "openai" && api === "chat" && !is_default_url) return "compatible";
  if (client === "compatible" && api === "responses") return "openai";
  return client;
}

export function languageModel(endpoint: Endpoint, model: string, fetch: Fetch): SdkModel {
  const { provider, base_url: baseURL, api } = endpoint;
  // Without one the clients would read the environment themselves.
  const apiKey = endpoint.key ?? "";
  switch (clientOf(endpoint)) {
    case "openai": {
      const openai = createOpenAI({ apiKey, baseURL, fetch });
      return api === "chat" ? openai.chat(model) : openai.responses(model);
    }
    case "anthropic":
      return createAnthropic({ apiKey, baseURL, fetch })(model);
    case "google":
      return createGoogleGenerativeAI({ apiKey, baseURL, fetch })(model);
    case "compatible":
      return createOpenAICompatible({
        name: provider,
        baseURL,
        fetch,
        includeUsage: true,
        ...(endpoint.key !== null && { apiKey: endpoint.key }),
      })(model);
  }
}
