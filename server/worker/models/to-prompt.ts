// The ordered conversation in the SDK's types, with the providers' own call ids and signatures where they belong.
import { isRecord } from "@/server/contract/is-record";
import { providerClients, providerNames } from "@/server/contract/models";
import { isTooDeep } from "@/server/kernel/cardbox/canonical-json";
import type { ModelRequest, PictureBytes } from "./model";
import { optionsOf, readState, type Speaker } from "./model-state";
import { type Call, type Ordered, orderMessages, type Said } from "./order-messages";
import type { SdkAssistantPart, SdkMessage } from "./sdk-types";

type Asked = Pick<ModelRequest, "system" | "messages" | "pictures">;

export function toPrompt(request: Asked, speaker: Speaker): SdkMessage[] {
  const { system, messages } = orderMessages(request.system, request.messages);
  const ids = wireIds(messages, speaker);
  const told = messages.flatMap((message): SdkMessage[] => {
    if (message.role === "user")
      return [{ role: "user", content: [{ type: "text", text: message.text }, ...shownOf(message, request.pictures)] }];
    if (message.role === "tool") return resultsOf(message.results, ids, request.pictures, speaker);
    const parts = message.said.map((said) => partsOf(said, speaker, ids));
    return [{ role: "assistant", content: thought(apart(parts, speaker), speaker) }];
  });
  return system === "" ? told : [{ role: "system", content: system }, ...told];
}

type Result = Extract<Ordered, { role: "tool" }>["results"][number];
type Shown = { type: "file"; mediaType: string; data: Uint8Array };

function shownOf({ pictures = [] }: Pick<Result, "pictures">, bytes: PictureBytes | undefined): Shown[] {
  return pictures.flatMap(({ sha256 }): Shown[] => {
    const found = bytes?.get(sha256);
    return found ? [{ type: "file", mediaType: found.mime, data: found.bytes }] : [];
  });
}

/** Anthropic accepts pictures within a result. Others accept them from a user only, and in a result would read base64. */
function resultsOf(
  results: Result[],
  ids: Map<string, string>,
  bytes: PictureBytes | undefined,
  { provider }: Speaker,
): SdkMessage[] {
  const isWithin = provider === "anthropic";
  const content = results.map((result) => {
    const { call, text } = result;
    const shown = isWithin ? shownOf(result, bytes) : [];
    const pictures = shown.map(({ mediaType, data }) => ({
      type: "image-data" as const,
      mediaType,
      data: Buffer.from(data).toString("base64"),
    }));
    return {
      type: "tool-result" as const,
      toolCallId: ids.get(call.id) ?? call.id,
      toolName: call.tool_name,
      output:
        pictures.length === 0
          ? { type: "text" as const, value: text }
          : { type: "content" as const, value: [{ type: "text" as const, text }, ...pictures] },
    };
  });
  const after = isWithin
    ? []
    : results.flatMap((result) => {
        const shown = shownOf(result, bytes);
        const text = `[Pictures in the result of ${result.call.tool_name}]`;
        return shown.length === 0
          ? []
          : [{ role: "user" as const, content: [{ type: "text" as const, text }, ...shown] }];
      });
  return [{ role: "tool", content }, ...after];
}

const ACCEPTED = /^[\w.:-]{1,64}$/;
const STRICT = /^[\w-]{1,64}$/;

/**
 * A call that the same model made is sent under the id it gave, unless it gave that id twice: then, and for everything
 * else, the kernel's own id is used, which is unique.
 */
function wireIds(messages: Ordered[], speaker: Speaker): Map<string, string> {
  const accepted = speaker.provider === "anthropic" ? STRICT : ACCEPTED;
  const given = messages
    .flatMap((message) => (message.role === "assistant" ? message.said : []))
    .flatMap(({ text, calls, state }) => {
      const isOwn = readState(state, speaker, { text, calls: calls.length }) !== null;
      return calls.map((call) => ({ call, theirs: isOwn ? call.provider_call_id : undefined }));
    });
  const count = new Map<string, number>();
  for (const { theirs } of given) if (theirs !== undefined) count.set(theirs, (count.get(theirs) ?? 0) + 1);
  const restored = given.map(({ call, theirs }): [string, string] => [
    call.id,
    theirs !== undefined && count.get(theirs) === 1 && accepted.test(theirs) ? theirs : call.id,
  ]);
  return new Map(restored);
}

function partsOf(said: Said, speaker: Speaker, ids: Map<string, string>): SdkAssistantPart[] {
  const { text, calls } = said;
  const state = readState(said.state, speaker, { text, calls: calls.length });
  if (!state) return [...textOf(text), ...calls.map((call) => callOf(call, ids))];
  let at = 0;
  let n = 0;
  return state.parts.flatMap((part): SdkAssistantPart[] => {
    const extra = optionsOf(part);
    if (part.kind === "reasoning") return [{ type: "reasoning", text: part.text, ...extra }];
    if (part.kind === "text") {
      const from = at;
      at += part.length;
      return textOf(text.slice(from, at)).map((one) => ({ ...one, ...extra }));
    }
    const call = calls[n++];
    return call ? [{ ...callOf(call, ids), ...extra }] : [];
  });
}

/** Chat completions have one text per message: the texts of two turns would run together. */
function apart(said: SdkAssistantPart[][], { provider }: Speaker): SdkAssistantPart[] {
  const name = providerNames.find((one) => one === provider);
  if (name === undefined || providerClients[name] !== "compatible") return said.flat();
  const hasText = (parts: SdkAssistantPart[] | undefined) => parts?.some((part) => part.type === "text") === true;
  return said.flatMap((parts, n) =>
    hasText(parts) && hasText(said[n - 1]) ? [{ type: "text", text: "\n\n" }, ...parts] : parts,
  );
}

/** Kimi's thinking models refuse calls that were made without a thought: those of other models, say, or of a changed card. */
function thought(parts: SdkAssistantPart[], { provider, model }: Speaker): SdkAssistantPart[] {
  if (provider !== "moonshot" || !/thinking|k2\.\d/.test(model)) return parts;
  const isMissing = parts.some((part) => part.type === "tool-call") && !parts.some((part) => part.type === "reasoning");
  return isMissing ? [{ type: "reasoning", text: " " }, ...parts] : parts;
}

const textOf = (text: string): { type: "text"; text: string }[] => (text.trim() === "" ? [] : [{ type: "text", text }]);

function callOf(call: Call, ids: Map<string, string>) {
  return {
    type: "tool-call" as const,
    toolCallId: ids.get(call.id) ?? call.id,
    toolName: call.tool_name,
    input: inputOf(call.arguments),
  };
}

/** Some providers accept nothing but an object; anything else the model wrote is shown to it unchanged. */
function inputOf(raw: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(raw === "" ? "{}" : raw);
    if (isRecord(value) && !isTooDeep(value)) return value;
  } catch {
    // Not JSON: its result says so.
  }
  return { malformed_arguments: raw };
}
