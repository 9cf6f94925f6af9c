// A conversation as every provider takes it. Cards come in any order and from anywhere: providers refuse system messages
// between others, results apart from their calls, calls without results, empty text, and an assistant who begins or ends.
import type { ModelMessage } from "./model";

export type Call = { id: string; tool_name: string; arguments: string; provider_call_id?: string };
export type Said = { text: string; calls: Call[]; state?: unknown };
export type Ordered =
  | { role: "user"; text: string }
  /** Several answers in a row are one. */
  | { role: "assistant"; said: Said[] }
  | { role: "tool"; results: { call: Call; text: string }[] };

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

/** Each result directly behind its call; what belongs to no call is told by the user. */
function paired(messages: readonly ModelMessage[]): Ordered[] {
  const results = new Map<string, ModelMessage>();
  for (const message of messages)
    if (message.role === "tool" && message.tool_call_id !== undefined && !results.has(message.tool_call_id))
      results.set(message.tool_call_id, message);
  const used = new Set<ModelMessage>();
  const called = new Set<string>();
  return messages.flatMap((message): Ordered[] => {
    if (message.role === "assistant") {
      // The same answer may stand in two boxes; a call is made once.
      const calls = (message.tool_calls ?? []).flatMap(callOf).filter((call) => !called.has(call.id));
      if (calls.length === 0 && message.text.trim() === "") return [];
      const state = calls.length === (message.tool_calls ?? []).length ? message.model_state : undefined;
      const said: Said = { text: message.text, calls, ...(state !== undefined && { state }) };
      for (const call of calls) called.add(call.id);
      if (calls.length === 0) return [{ role: "assistant", said: [said] }];
      const answers = calls.map((call) => {
        const result = results.get(call.id);
        if (result) used.add(result);
        return { call, text: result ? worded(result.text) : NO_RESULT };
      });
      return [
        { role: "assistant", said: [said] },
        { role: "tool", results: answers },
      ];
    }
    if (used.has(message)) return [];
    if (message.role === "tool") return [{ role: "user", text: `[result of a tool call]\n${worded(message.text)}` }];
    if (message.role === "system") return [{ role: "user", text: `[system]\n${worded(message.text)}` }];
    return [{ role: "user", text: worded(message.text) }];
  });
}

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

// A result that stands before its call in the list was told by the user already; one role does not speak twice in a row
// but the user, whom every provider takes as often as he comes.
function merged(messages: Ordered[]): Ordered[] {
  const out: Ordered[] = [];
  for (const message of messages) {
    const last = out.at(-1);
    if (message.role === "assistant" && last?.role === "assistant") last.said.push(...message.said);
    else out.push(message);
  }
  return out;
}
