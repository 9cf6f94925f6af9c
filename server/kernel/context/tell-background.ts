// Renders history that another agent wrote as text. As assistant messages and calls it looked like the receiver's own work:
// an expert that was asked with history continued its caller's plan and called tools that it does not have.
import type { ArtifactRef } from "@/server/contract/artifact";
import { type Card, picturesWeight } from "@/server/contract/card";
import { isRecord } from "@/server/contract/is-record";
import { countTokens } from "../tokens/count-tokens";
import { collapse, cutText } from "./cut-text";
import type { Message } from "./message";

export type Writer = { agent_id: string; name: string; profile: string };

/** Cards by an agent other than the receiver, by id. A card that is not in it keeps its form. */
export type Background = ReadonlyMap<string, Writer>;

/** A message as it would be if it were the receiver's own, with its card. */
export type Draft = { card: Card; message: Message };

/** One message for each sequence of cards by one writer. A deliverable is a separate message. */
export function tellBackground(drafts: readonly Draft[], background: Background): Message[] {
  const names = toolNames(drafts);
  const out: Message[] = [];
  let run: { writer: Writer; parts: string[]; card_ids: string[]; pictures: ArtifactRef[] } | null = null;
  const close = () => {
    if (run)
      out.push(
        told(`[Background from ${nameOf(run.writer)}, not your own work]`, run.parts, run.card_ids, run.pictures),
      );
    run = null;
  };
  for (const { card, message } of drafts) {
    const writer = background.get(card.card_id);
    if (writer && isSpoken(card)) {
      if (run?.writer.agent_id !== writer.agent_id) close();
      run ??= { writer, parts: [], card_ids: [], pictures: [] };
      run.parts.push(...partsOf(card, message, writer, names));
      run.card_ids.push(...message.card_ids);
      run.pictures.push(...(message.pictures ?? []));
      continue;
    }
    close();
    if (!writer) out.push(message);
    else if (card.type === "task.deliverable")
      out.push(told(`[Deliverable of ${nameOf(writer)}, not your own work]`, [message.text], message.card_ids));
    else out.push({ ...told(`[From ${nameOf(writer)}]`, [message.text], message.card_ids), role: message.role });
  }
  close();
  return out;
}

const isSpoken = ({ role, type }: Card): boolean =>
  type !== "task.deliverable" && (role === "assistant" || role === "tool");

const EMPTY = "(empty)";

function told(header: string, parts: string[], card_ids: string[], pictures: ArtifactRef[] = []): Message {
  const said = parts.filter((part) => part.trim() !== "");
  const text = [header, ...(said.length === 0 ? [EMPTY] : said)].join("\n\n");
  const tokens = countTokens(text) + picturesWeight(pictures);
  return { role: "user", text, card_ids, tokens, ...(pictures.length > 0 && { pictures }) };
}

const NAME_MAX = 80;

/** A name must not forge a line. */
const oneLine = (name: string): string => cutText(collapse(name), NAME_MAX);

const nameOf = ({ name, profile }: Writer): string => `${oneLine(name)} (agent of profile ${oneLine(profile)})`;

function partsOf(card: Card, message: Message, writer: Writer, names: ReadonlyMap<string, string>): string[] {
  if (card.role === "tool") {
    const name = names.get(message.tool_call_id ?? "") ?? textOf(card.metadata.function_name);
    return [`[Result of ${name === undefined ? "a tool call" : oneLine(name)}]\n${message.text}`];
  }
  const calls = callsIn(message).map(
    ({ name, args }) => `[${oneLine(writer.name)} called ${oneLine(name)} with ${compact(args)}]`,
  );
  return [message.text, ...calls];
}

function toolNames(drafts: readonly Draft[]): Map<string, string> {
  const calls = drafts.flatMap(({ message }) => callsIn(message));
  return new Map(calls.map(({ id, name }) => [id, name]));
}

function callsIn({ tool_calls = [] }: Message): { id: string; name: string; args: unknown }[] {
  return tool_calls.flatMap((call) => {
    if (!isRecord(call) || !isRecord(call.function)) return [];
    const { name, arguments: args } = call.function;
    return [{ id: textOf(call.id) ?? "", name: textOf(name) ?? "a tool", args }];
  });
}

/** On one line; what is not JSON stays as the model wrote it. */
function compact(args: unknown): string {
  if (typeof args !== "string") return JSON.stringify(args ?? {});
  try {
    return JSON.stringify(args.trim() === "" ? {} : JSON.parse(args));
  } catch {
    return JSON.stringify(args);
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
