// The figure "sent" (docs/tokens.md): what one request weighs as it goes over the wire. Every screen and answer that speaks of
// the size of a request takes it from here.
import { asText } from "@/server/contract/as-text";
import { isRecord } from "@/server/contract/is-record";
import type { LlmConfig } from "@/server/contract/profile";
import { countTokens } from "./count-tokens";
import { toolsOnWire, type WireTool } from "./tools-on-wire";

export type SentInput = {
  system: string;
  tools: readonly WireTool[];
  /** Each with its weight (messageTokens). */
  messages: readonly { tokens: number }[];
  llm_config: LlmConfig;
};

/** `tokens` = all of it; `tools_tokens` = of the tool definitions alone. */
export type Sent = { tokens: number; tools_tokens: number };

export function sentTokens({ system, tools, messages, llm_config }: SentInput): Sent {
  const tools_tokens = toolsTokens(tools, llm_config);
  const said = messages.reduce((sum, message) => sum + message.tokens, 0);
  return { tokens: countTokens(system) + tools_tokens + said, tools_tokens };
}

/** A message: its text and the calls in it. */
export const messageTokens = (text: string, tool_calls: readonly unknown[] = []): number =>
  countTokens(text) + callsTokens(tool_calls);

/** Name and arguments of each, as compact JSON; ids and the wrapping around them are the provider's own. */
const callsTokens = (calls: readonly unknown[]): number =>
  calls.filter(isRecord).reduce((sum, { function: named }) => {
    if (!isRecord(named)) return sum;
    return sum + callTokens(asText(named.name ?? ""), asText(named.arguments ?? ""));
  }, 0);

/** `raw` as a model wrote it. */
export const callTokens = (tool_name: string, raw: string): number =>
  countTokens(tool_name) + countTokens(compact(raw));

function compact(raw: string): string {
  try {
    return JSON.stringify(JSON.parse(raw));
  } catch {
    // Sent as it was written.
    return raw;
  }
}

const counted = new WeakMap<readonly WireTool[], Map<string, number>>();

/** A turn offers the same list at each step: it is counted once for each form. */
function toolsTokens(tools: readonly WireTool[], llm_config: LlmConfig): number {
  if (tools.length === 0) return 0;
  const key = `${llm_config.provider ?? ""} ${llm_config.model ?? ""}`;
  const known = counted.get(tools) ?? new Map<string, number>();
  counted.set(tools, known);
  const tokens = known.get(key) ?? countTokens(JSON.stringify(toolsOnWire(tools, llm_config)));
  known.set(key, tokens);
  return tokens;
}
