// Bytes or JSON -> a checked log. Pure: nothing is read or written, and whatever is wrong is a bad_request that names
// the place (`history.12.content is not text`; JSON syntax by line and column).
import * as z from "zod";
import { INSTRUCTION_BYTES_MAX } from "@/server/contract/delegation";
import { KernelError } from "@/server/contract/errors";
import { refuseBadText } from "@/server/contract/text";
import { findJsonFault } from "../json-fault";
import type { Slices } from "../slices";
import { digestOf } from "./digest";
import type { GroupChatEntry, OrchestratedEntry, WhoAndWhenLog } from "./log";

const scalar = z.union([z.string(), z.number(), z.boolean()]).nullish();
const text = z.string().nullish();

const Head = z.looseObject({
  history: z.array(z.unknown()),
  question: text,
  ground_truth: scalar,
  is_correct: scalar,
  is_corrected: scalar,
  question_ID: scalar,
  level: scalar,
  mistake_agent: text,
  mistake_step: scalar,
  mistake_reason: text,
  system_prompt: z.record(z.string(), z.string()).nullish(),
});
type Head = z.infer<typeof Head>;

const Entry = z.looseObject({ role: z.string(), content: z.string(), name: z.string().nullish() });
type Entry = z.infer<typeof Entry>;

export function* parseBytes(bytes: Uint8Array): Slices<WhoAndWhenLog> {
  const source = decode(bytes);
  yield;
  let data: unknown;
  try {
    data = JSON.parse(source);
  } catch {
    const { line, column, reason } = yield* findJsonFault(source);
    throw new KernelError("bad_request", `the file is not JSON: line ${line}, column ${column}: ${reason}`, {
      line,
      column,
    });
  }
  yield;
  return yield* parseData(data);
}

export function* parseData(data: unknown): Slices<WhoAndWhenLog> {
  if (data === null || typeof data !== "object" || Array.isArray(data))
    refuse("", "the file is not an object; a who-and-when log is one with a `history`");
  const digest = yield* digestOf(data as Record<string, unknown>);
  const head = checked(Head, data, "");
  const { history, ...rest } = head;
  for (const [key, value] of Object.entries(rest)) {
    refuseBadText(key, "a key of the file");
    refuseBadText(value, key);
  }
  if (history.length === 0) refuse("history", "is empty; there is nothing to import");
  refuseMany(history);
  const entries: Entry[] = [];
  for (const [i, item] of history.entries()) {
    const entry = checked(Entry, item, `history.${i}`);
    refuseBadText(item, `history.${i}`);
    refuseLong(entry.content, `history.${i}.content`);
    entries.push(entry);
    yield;
  }
  const mistake = mistakeOf(head, entries.length);
  const facts = {
    digest,
    question: head.question ?? undefined,
    mistake,
    metadata: metadataOf(head, entries),
    system_prompts: systemPromptsOf(head),
  };
  if (entries[0]?.name == null)
    return { ...facts, kind: "orchestrated", entries: entries.map((e, i) => orchestratedEntry(e, `history.${i}`)) };
  return { ...facts, kind: "group_chat", entries: entries.map((e, i) => groupChatEntry(e, `history.${i}`)) };
}

/** 64 MB of one-letter messages would be millions of turns. */
const MESSAGES_MAX = 50_000;
/** Each turn of a group chat has every message before it in its context, so that boxes grow with the square. */
const GROUP_MESSAGES_MAX = 2_000;

function refuseMany(history: unknown[]): void {
  const first = history[0];
  const isGroup = first !== null && typeof first === "object" && "name" in first && first.name != null;
  const max = isGroup ? GROUP_MESSAGES_MAX : MESSAGES_MAX;
  if (history.length <= max) return;
  throw new KernelError(
    "payload_too_large",
    `history has ${history.length} messages; a ${isGroup ? "group chat" : "log"} holds at most ${max}. Split the file`,
  );
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return refuse("", `the file is not UTF-8 text: byte ${firstBadByte(bytes)} belongs to no character`);
  }
}

/** Offset of the character that breaks off or is none: the longest prefix that still decodes ends there. */
function firstBadByte(bytes: Uint8Array): number {
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, middle), { stream: true });
      good = middle;
    } catch {
      bad = middle;
    }
  }
  return good;
}

function checked<T extends z.ZodType>(schema: T, value: unknown, path: string): z.infer<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const keys = issue?.path.map(String) ?? [];
  const where = [path, ...keys].filter((part) => part !== "").join(".");
  const found = keys.reduce<unknown>((v, key) => (v as Record<string, unknown> | undefined)?.[key], value);
  if (found === undefined) return refuse(where, "is missing");
  const wanted = issue?.code === "invalid_type" ? issue.expected : "scalar";
  return refuse(where, `is not ${nameOf[wanted] ?? "text, a number or a yes/no value"}`);
}

const nameOf: Record<string, string> = { string: "text", array: "a list", object: "an object", record: "an object" };

const orchestratedForms = "human, Orchestrator (thought), Orchestrator (-> NAME), Orchestrator (termination condition)";

function orchestratedEntry(entry: Entry, path: string): OrchestratedEntry {
  if (entry.name != null)
    refuse(`${path}.name`, "is there, but the first message has none: all messages have a name, or none");
  const role = entry.role.trim();
  const text = entry.content;
  if (role === "human") return { kind: "human", text };
  if (role === "Orchestrator (thought)") return { kind: "thought", text };
  if (role === "Orchestrator (termination condition)") return { kind: "termination", text };
  const to = /^Orchestrator \(->\s*([^()]+)\)$/.exec(role)?.[1];
  if (to !== undefined && to.trim() !== "Orchestrator")
    return { kind: "delegation", to: checkedName(to, `${path}.role`), text };
  if (/[()]/.test(role) || role === "" || role === "Orchestrator" || chatRoles.has(role))
    refuse(
      `${path}.role`,
      `is ${JSON.stringify(entry.role)}; known are ${orchestratedForms}, an agent's plain name, and chat roles together with a name`,
    );
  return { kind: "message", from: checkedName(role, `${path}.role`), text };
}

const chatRoles = new Set(["assistant", "user", "system", "tool", "function"]);

function groupChatEntry(entry: Entry, path: string): GroupChatEntry {
  if (entry.name == null)
    return refuse(`${path}.name`, "is missing, but the first message has one: all messages have a name, or none");
  if (!chatRoles.has(entry.role))
    refuse(`${path}.role`, `is ${JSON.stringify(entry.role)}; known are ${[...chatRoles].join(", ")}`);
  return { from: checkedName(entry.name, `${path}.name`), role: entry.role, text: entry.content };
}

const NAME_CHARS_MAX = 100;

function checkedName(name: string, path: string): string {
  const trimmed = name.trim();
  if (trimmed === "") refuse(path, "is empty; it should be an agent's name");
  if (trimmed.length > NAME_CHARS_MAX)
    refuse(path, `is an agent's name of ${trimmed.length} characters; at most ${NAME_CHARS_MAX}`);
  return trimmed;
}

function mistakeOf(head: Head, length: number): { step: number; agent?: string; reason: string } | undefined {
  const given = head.mistake_step;
  if (given == null || given === "") return undefined;
  if (!/^\d{1,9}$/.test(String(given).trim()))
    refuse("mistake_step", `is ${JSON.stringify(given)}; it should be a place in history, a whole number from 0`);
  const step = Number(given);
  if (step >= length) refuse("mistake_step", `is ${step}, but history has the places 0 to ${length - 1}`);
  return { step, agent: head.mistake_agent ?? undefined, reason: head.mistake_reason ?? "" };
}

function systemPromptsOf(head: Head): { name: string; prompt: string }[] {
  return Object.entries(head.system_prompt ?? {}).map(([name, prompt]) => {
    refuseLong(prompt, `system_prompt.${name}`);
    return { name: checkedName(name, "system_prompt (a key)"), prompt };
  });
}

const kept = [
  "question",
  "ground_truth",
  "mistake_agent",
  "mistake_step",
  "mistake_reason",
  "is_correct",
  "is_corrected",
  "question_ID",
  "level",
] as const;

function metadataOf(head: Head, entries: Entry[]): Record<string, unknown> {
  const metadata: Record<string, unknown> = {};
  for (const key of kept) if (head[key] != null) metadata[key] = head[key];
  // What the import leaves out is said, not dropped in silence.
  const known = new Set<string>([...kept, "history", "system_prompt"]);
  const entryKeys = new Set(entries.flatMap((e) => Object.keys(e)));
  const ignored = [
    ...Object.keys(head).filter((key) => !known.has(key)),
    ...[...entryKeys].filter((key) => !(key in Entry.shape)).map((key) => `history.*.${key}`),
  ];
  if (ignored.length > 0) metadata.ignored_keys = ignored.sort().slice(0, 50);
  return metadata;
}

function refuseLong(content: string, path: string): void {
  const bytes = Buffer.byteLength(content);
  if (bytes <= INSTRUCTION_BYTES_MAX) return;
  throw new KernelError(
    "payload_too_large",
    `${path} has ${bytes} bytes; a card holds at most ${INSTRUCTION_BYTES_MAX}. Shorten it or split the message`,
  );
}

function refuse(path: string, what: string): never {
  throw new KernelError("bad_request", path === "" ? what : `${path} ${what}`, path === "" ? undefined : { path });
}
