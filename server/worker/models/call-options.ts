// How the model is called: the profile's settings in the SDK's terms, and reasoning effort in each provider's own.

import type { ModelClient } from "@/server/contract/models";
import { toolSchema } from "@/server/kernel/tokens/tool-schema";
import type { LlmSettings } from "./llm-settings";
import type { ModelRequest } from "./model";

import type { SdkCall, SdkMetadata } from "./sdk-types";
import { toPrompt } from "./to-prompt";
import { wired, wireNamesIn } from "./wired-names";

/** `client` = which of the SDK's clients the request is written for. */
export function callOptions(given: ModelRequest, settings: LlmSettings, client: ModelClient): SdkCall {
  const names = namesOn(given, settings, client);
  const request = wired(given, names);
  const { max_tokens, temperature, top_p, seed, stop } = settings;
  const tools = request.tools.map(({ tool_name, description, parameters }) => ({
    type: "function" as const,
    name: tool_name,
    description,
    inputSchema: toolSchema(parameters, settings.provider),
    // The SDK's default makes every optional argument required, and models then fill in nulls that tools refuse.
    ...(client === "openai" && { strict: false }),
  }));
  return {
    prompt: toPrompt(request, settings),
    ...(max_tokens !== undefined && { maxOutputTokens: max_tokens }),
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { topP: top_p }),
    ...(seed !== undefined && { seed }),
    ...(stop !== undefined && { stopSequences: stop }),
    ...(tools.length > 0 && { tools, toolChoice: toolChoiceOf(request, settings, names) }),
    providerOptions: vendorOptions(settings, client),
  };
}

/** The names that tools are sent under, if they differ from their own. */
export const namesOn = (request: ModelRequest, { tool_choice }: LlmSettings, client: ModelClient) =>
  wireNamesIn(request, client, typeof tool_choice === "object" ? tool_choice.tool_name : undefined);

function toolChoiceOf(
  request: ModelRequest,
  { tool_choice = "auto" }: LlmSettings,
  names: ReadonlyMap<string, string>,
): SdkCall["toolChoice"] {
  if (typeof tool_choice === "string") return { type: tool_choice };
  const toolName = names.get(tool_choice.tool_name) ?? tool_choice.tool_name;
  // In the last step only the result tool is offered, and a tool that is not offered cannot be required.
  const isOffered = request.tools.some((tool) => tool.tool_name === toolName);
  return isOffered ? { type: "tool", toolName } : { type: "auto" };
}

function vendorOptions(settings: LlmSettings, client: ModelClient): SdkMetadata {
  const { reasoning_effort: effort } = settings;
  // We keep the conversation ourselves: with the provider's copy, requests would refer to content that nobody here can
  // read.
  if (client === "openai") return { openai: { store: false, ...(effort && { reasoningEffort: effort }) } };
  // Arguments streamed while they are generated may end as invalid JSON, and nobody watches them grow.
  if (client === "anthropic")
    return { anthropic: { toolStreaming: false, ...(effort && anthropicEffort(settings.model, effort)) } };
  if (effort === undefined) return {};
  if (client === "google") return { google: { thinkingConfig: googleEffort(settings.model, effort) } };
  return { openaiCompatible: { reasoningEffort: effort } };
}

type Effort = NonNullable<LlmSettings["reasoning_effort"]>;

const budgets: Record<Effort, number> = {
  none: 0,
  minimal: 1_024,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
};

/** Models before 4.6 think by a budget of tokens, later ones by effort. */
function anthropicEffort(model: string, effort: Effort): SdkMetadata[string] {
  if (effort === "none") return { thinking: { type: "disabled" } };
  if (/claude-(3|(opus|sonnet|haiku)-4(-[0-5])?(-\d{8})?$)/.test(model))
    return { thinking: { type: "enabled", budgetTokens: budgets[effort] } };
  return { thinking: { type: "adaptive", display: "summarized" }, effort: effort === "minimal" ? "low" : effort };
}

/** Gemini 2.5 thinks by a budget of tokens, later ones by level. Pro cannot do without: it gets the least that it takes. */
function googleEffort(model: string, effort: Effort): SdkMetadata[string] {
  const isPro = /-pro\b/.test(model);
  const least = isPro ? 128 : 0;
  if (/gemini-(1|2)/.test(model))
    return { thinkingBudget: Math.max(least, budgets[effort]), includeThoughts: effort !== "none" };
  const low = isPro ? "low" : "minimal";
  const level =
    effort === "none" || effort === "minimal" ? low : effort === "xhigh" || effort === "max" ? "high" : effort;
  return { thinkingLevel: level, includeThoughts: effort !== "none" };
}
