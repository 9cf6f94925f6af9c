// The SDK's client for an endpoint. It never looks for keys itself, and every request goes through the `fetch` given here.
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { Endpoint } from "./endpoint";
import { providerOf } from "./providers";
import type { SdkModel } from "./sdk-types";

export type Fetch = typeof globalThis.fetch;

export function languageModel(endpoint: Endpoint, model: string, fetch: Fetch): SdkModel {
  const { provider, base_url: baseURL } = endpoint;
  // Without one the clients read the environment by themselves.
  const apiKey = endpoint.key ?? "";
  switch (providerOf(provider).client) {
    case "openai":
      return createOpenAI({ apiKey, baseURL, fetch })(model);
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
