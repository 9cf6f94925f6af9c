// Turns an opened file into a checked log. Nothing is written, and any fault is a bad_request that names the path
// (`history.12.content is not text`). The reader has already refused bad syntax, sizes and texts that cannot be stored.
import * as z from "zod";
import { INSTRUCTION_BYTES_MAX } from "@/server/contract/delegation";
import { KernelError } from "@/server/contract/errors";
import type { OpenFile, Wants } from "../open-file";
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

/** The fields that are read. All others count for the digest and are reported as ignored. */
export const wants: Wants = {
  head: Object.keys(Head.shape),
  headBytesMax: 8_388_608,
  map: "system_prompt",
  mapMax: 1_000,
  list: "history",
  item: Object.keys(Entry.shape),
  textBytesMax: INSTRUCTION_BYTES_MAX,
  // 50,000 messages take a third of it.
  valuesMax: 1_000_000,
};

export async function parseLog(file: OpenFile): Promise<WhoAndWhenLog> {
  if (file.head === null || typeof file.head !== "object" || Array.isArray(file.head))
    refuse("", "the file is not an object; a who-and-when log is one with a `history`");
  const head = checked(Head, file.head, "");
  if (file.count === 0) refuse("history", "is empty; there is nothing to import");
  const entries: Entry[] = [];
  for (let piece = await file.more(); piece.length > 0; piece = await file.more()) {
    if (entries.length === 0) refuseMany(file.count, piece[0]);
    for (const item of piece) entries.push(checked(Entry, item, `history.${entries.length}`));
  }
  const mistake = mistakeOf(head, entries.length);
  const facts = {
    digest: file.digest,
    question: head.question ?? undefined,
    mistake,
    metadata: metadataOf(head, file.ignored_keys),
    system_prompts: systemPromptsOf(head),
  };
  if (entries[0]?.name == null)
    return { ...facts, kind: "orchestrated", entries: entries.map((e, i) => orchestratedEntry(e, `history.${i}`)) };
  return { ...facts, kind: "group_chat", entries: entries.map((e, i) => groupChatEntry(e, `history.${i}`)) };
}

/** Without it, 64 MB of one-letter messages would be millions of turns. */
const MESSAGES_MAX = 50_000;
/** Each turn of a group chat has all earlier messages in its context, so boxes grow quadratically. */
const GROUP_MESSAGES_MAX = 2_000;

function refuseMany(count: number, first: unknown): void {
  const isGroup = first !== null && typeof first === "object" && "name" in first && first.name != null;
  const max = isGroup ? GROUP_MESSAGES_MAX : MESSAGES_MAX;
  if (count <= max) return;
  throw new KernelError(
    "payload_too_large",
    `history has ${count} messages; a ${isGroup ? "group chat" : "log"} holds at most ${max}. Split the file`,
  );
}

function checked<T extends z.ZodType>(schema: T, value: unknown, path: string): z.infer<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const keys = issue?.path.map(String) ?? [];
  const where = [path, ...keys].filter((part) => part !== "").join(".");
  const found = keys.reduce<unknown>((v, key) => (v as Record<string, unknown> | undefined)?.[key], value);
  if (found === undefined) return refuse(where, where === "history" ? NO_LOG : "is missing");
  const wanted = issue?.code === "invalid_type" ? issue.expected : "scalar";
  return refuse(where, `is not ${nameOf[wanted] ?? "text, a number or a yes/no value"}`);
}

/** Mostly the file is of another format: that a field is missing told nobody what to send. */
const NO_LOG =
  'is missing. Expected a who-and-when log: {"history": [{"role": "human", "content": "..."}, ...]}. To import a run of another Switchyard, choose its bundle (.tar.gz)';

const nameOf: Record<string, string> = { string: "text", array: "a list", object: "an object", record: "an object" };

const orchestratedForms = "human, Orchestrator (thought), Orchestrator (-> NAME), Orchestrator (termination condition)";

function orchestratedEntry(entry: Entry, path: string): OrchestratedEntry {
  if (entry.name != null)
    refuse(`${path}.name`, "is set, but the first message has none: either all messages have a name, or none");
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
      `is ${JSON.stringify(entry.role)}; accepted are ${orchestratedForms}, an agent's plain name, and chat roles together with a name`,
    );
  return { kind: "message", from: checkedName(role, `${path}.role`), text };
}

const chatRoles = new Set(["assistant", "user", "system", "tool", "function"]);

function groupChatEntry(entry: Entry, path: string): GroupChatEntry {
  if (entry.name == null)
    return refuse(
      `${path}.name`,
      "is missing, but the first message has one: either all messages have a name, or none",
    );
  if (!chatRoles.has(entry.role))
    refuse(`${path}.role`, `is ${JSON.stringify(entry.role)}; accepted are ${[...chatRoles].join(", ")}`);
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

function metadataOf(head: Head, ignored_keys: string[]): Record<string, unknown> {
  const metadata: Record<string, unknown> = {};
  for (const key of kept) if (head[key] != null) metadata[key] = head[key];
  if (ignored_keys.length > 0) metadata.ignored_keys = ignored_keys;
  return metadata;
}

function refuse(path: string, what: string): never {
  throw new KernelError("bad_request", path === "" ? what : `${path} ${what}`, path === "" ? undefined : { path });
}
