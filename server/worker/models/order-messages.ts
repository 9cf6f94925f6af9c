// A conversation as every provider takes it. Cards come in any order and from anywhere: providers refuse system messages
// between others, results apart from their calls, calls without results, empty text, and an assistant who begins or ends.
import type { ArtifactRef } from "@/server/contract/artifact";
import type { ModelMessage } from "./model";

export type Call = { id: string; tool_name: string; arguments: string; provider_call_id?: string };
export type Said = { text: string; calls: Call[]; state?: unknown };
export type Ordered =
  | { role: "user"; text: string; pictures?: ArtifactRef[] }
  /** Several answers in a row are one. */
  | { role: "assistant"; said: Said[] }
  | { role: "tool"; results: { call: Call; text: string; pictures?: ArtifactRef[] }[] };

export const NO_RESULT = "(no result was recorded)";
const NOTHING = "(empty)";
const EARLIER = "(Your earlier work follows.)";
const GO_ON = "(Go on.)";

export function orderMessages(
  system: string,
  messages: readonly ModelMessage[],
): { system: string; messages: Ordered[] } {
  const first = messages.findIndex((message) => message.role !== "system");
  const leading = messages.slice(0, first === -1 ? messages.length : first).map((message) => message.text);
  const rest = messages.slice(leading.length);
  const ordered = merged(paired(rest));
  if (ordered[0]?.role !== "user") ordered.unshift({ role: "user", text: EARLIER });
  if (ordered.at(-1)?.role === "assistant") ordered.push({ role: "user", text: GO_ON });
  return { system: [system, ...leading].filter((text) => text.trim() !== "").join("\n\n"), messages: ordered };
}

/** Each result directly after its call; results without a call are sent as user messages. */
function paired(messages: readonly ModelMessage[]): Ordered[] {
  const announced = new Set(messages.flatMap((message) => callsOf(message).map((call) => call.id)));
  const results = new Map<string, ModelMessage>();
  for (const message of messages) {
    const { tool_call_id: id } = message;
    if (message.role === "tool" && id !== undefined && announced.has(id) && !results.has(id)) results.set(id, message);
  }
  const placed = new Set(results.values());
  const called = new Set<string>();
  return messages.flatMap((message): Ordered[] => {
    if (message.role === "assistant") return answerOf(message, results, called);
    if (placed.has(message)) return [];
    const text = worded(message.text);
    const shown = message.pictures ? { pictures: message.pictures } : {};
    if (message.role === "tool") return [{ role: "user", text: `[result of a tool call]\n${text}`, ...shown }];
    return [{ role: "user", text: message.role === "system" ? `[system]\n${text}` : text, ...shown }];
  });
}

function answerOf(message: ModelMessage, results: Map<string, ModelMessage>, called: Set<string>): Ordered[] {
  const { text, model_state: state } = message;
  const all = callsOf(message);
  // The same answer may be in two boxes; a call is made once.
  const calls = all.filter((call) => !called.has(call.id) && called.add(call.id));
  if (calls.length === 0 && text.trim() === "") return [];
  const said: Said = { text, calls, ...(state !== undefined && calls.length === all.length && { state }) };
  if (calls.length === 0) return [{ role: "assistant", said: [said] }];
  const told = calls.map((call) => {
    const result = results.get(call.id);
    const shown = result?.pictures ? { pictures: result.pictures } : {};
    return { call, text: result ? worded(result.text) : NO_RESULT, ...shown };
  });
  return [
    { role: "assistant", said: [said] },
    { role: "tool", results: told },
  ];
}

const callsOf = (message: ModelMessage): Call[] =>
  message.role === "assistant" ? (message.tool_calls ?? []).flatMap(callOf) : [];

const worded = (text: string): string => (text.trim() === "" ? NOTHING : text);

function callOf(given: unknown): Call[] {
  const call = given as {
    id?: unknown;
    function?: { name?: unknown; arguments?: unknown };
    provider_call_id?: unknown;
  } | null;
  const { id, provider_call_id } = call ?? {};
  const { name, arguments: args } = call?.function ?? {};
  if (typeof id !== "string" || typeof name !== "string") return [];
  return [
    {
      id,
      tool_name: name,
      arguments: typeof args === "string" ? args : JSON.stringify(args ?? {}),
      ...(typeof provider_call_id === "string" && { provider_call_id }),
    },
  ];
}

// Nobody speaks twice in a row except the user, for whom every provider accepts it.
function merged(messages: Ordered[]): Ordered[] {
  const out: Ordered[] = [];
  for (const message of messages) {
    const last = out.at(-1);
    if (message.role === "assistant" && last?.role === "assistant") last.said.push(...message.said);
    else out.push(message);
  }
  return out;
}
