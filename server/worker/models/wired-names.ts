// Renames the tools of a request to names that the provider accepts, and back: cards, profiles and pages keep the project's
// names. Calls of earlier steps are renamed like the tools, or a model would not recognise its own.
import { isRecord } from "@/server/contract/is-record";
import type { ModelClient } from "@/server/contract/models";
import { describedAs, wireNames } from "@/server/kernel/tokens/tool-names";
import type { ModelEvent, ModelMessage, ModelRequest } from "./model";

/** `chosen` = the tool that the profile's tool_choice names. */
export function wireNamesIn(request: ModelRequest, client: ModelClient, chosen?: string): Map<string, string> {
  const called = request.messages.flatMap(({ tool_calls = [] }) => tool_calls.flatMap((call) => nameOf(call) ?? []));
  const offered = request.tools.map((tool) => tool.tool_name);
  return wireNames([...offered, ...called, ...(chosen === undefined ? [] : [chosen])], client);
}

export function wired(request: ModelRequest, names: ReadonlyMap<string, string>): ModelRequest {
  if (names.size === 0) return request;
  const tools = request.tools.map((tool) => {
    const tool_name = names.get(tool.tool_name) ?? tool.tool_name;
    return { ...tool, tool_name, description: describedAs(tool.tool_name, tool_name, tool.description) };
  });
  return { ...request, tools, messages: request.messages.map((message) => renamed(message, names)) };
}

/** Calls under the project's names. A call of a tool that is only named in the prompt keeps its name. */
export function unwired(event: ModelEvent, names: ReadonlyMap<string, string>): ModelEvent {
  if (names.size === 0 || event.kind !== "answer") return event;
  const own = new Map([...names].map(([name, wire]) => [wire, name]));
  return {
    ...event,
    tool_calls: event.tool_calls.map((call) => ({ ...call, tool_name: own.get(call.tool_name) ?? call.tool_name })),
  };
}

function renamed(message: ModelMessage, names: ReadonlyMap<string, string>): ModelMessage {
  if (!message.tool_calls) return message;
  return {
    ...message,
    tool_calls: message.tool_calls.map((call) => {
      const name = nameOf(call);
      if (!isRecord(call) || !isRecord(call.function) || name === undefined) return call;
      return { ...call, function: { ...call.function, name: names.get(name) ?? name } };
    }),
  };
}

function nameOf(call: unknown): string | undefined {
  if (!isRecord(call) || !isRecord(call.function)) return undefined;
  return typeof call.function.name === "string" ? call.function.name : undefined;
}
