// The bytes of a request before it is sent: the SDK builds it as usual, and our `fetch` keeps the body and sends nothing.

import { callOptions } from "./call-options";
import type { Endpoint } from "./endpoint";
import { clientOf, type Fetch, languageModel } from "./language-model";
import type { LlmSettings } from "./llm-settings";
import { ModelError, type ModelRequest } from "./model";

class Built extends Error {
  constructor(readonly body: string) {
    super("the request is built");
  }
}

const keep: Fetch = async (_, init) => {
  throw new Built(typeof init?.body === "string" ? init.body : "");
};

export async function dryRun(request: ModelRequest, settings: LlmSettings, endpoint: Endpoint): Promise<string> {
  const model = languageModel(endpoint, settings.model, keep);
  const options = callOptions(request, settings, clientOf(endpoint));
  try {
    await (settings.stream ? model.doStream(options) : model.doGenerate(options));
  } catch (error) {
    if (error instanceof Built) return error.body;
    // The client cannot express it in the provider's format: nothing was sent, and nothing here is broken.
    const told = error instanceof Error ? error.message : String(error);
    throw new ModelError("model_request_refused", `the request cannot be written for ${endpoint.provider}: ${told}`);
  }
  throw new Error("a request was built and nothing was sent");
}
