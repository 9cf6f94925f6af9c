import { describe, expect, test } from "vitest";
import { KernelError } from "@/server/contract/errors";
import { withFile } from "../open-file";
import type { WhoAndWhenLog } from "./log";
import { parseLog, wants } from "./parse";

const good = () => ({
  question: "How high is it?",
  mistake_agent: "WebSurfer",
  mistake_step: "2",
  mistake_reason: "It guessed.",
  history: [
    { role: "human", content: "How high is it?" },
    { role: "Orchestrator (-> WebSurfer)", content: "Look it up" },
    { role: "WebSurfer", content: "42 m" },
  ] as Record<string, unknown>[],
});
const chat = () => ({
  question: "How high is it?",
  system_prompt: { Expert: "You know heights." } as Record<string, unknown>,
  history: [
    { role: "assistant", name: "Expert", content: "Let me see" },
    { role: "user", name: "Computer_terminal", content: "42" },
  ] as Record<string, unknown>[],
});

const bytesOf = (value: unknown) => Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
const parsed = (file: unknown): Promise<WhoAndWhenLog> =>
  withFile(
    { project_id: "p", bytes: Buffer.isBuffer(file) ? file : bytesOf(file), isEnvelope: false, wants },
    parseLog,
  );
async function refusalOf(file: unknown): Promise<KernelError> {
  try {
    await parsed(file);
  } catch (error) {
    if (error instanceof KernelError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

test("the two kinds are told apart by their content", async () => {
  const orchestrated = await parsed(good());
  expect(orchestrated.kind).toBe("orchestrated");
  expect(orchestrated.entries.map((e) => ("kind" in e ? e.kind : ""))).toEqual(["human", "delegation", "message"]);
  expect(orchestrated.mistake).toEqual({ step: 2, agent: "WebSurfer", reason: "It guessed." });
  const group = await parsed(chat());
  expect(group.kind).toBe("group_chat");
  expect(group.system_prompts).toEqual([{ name: "Expert", prompt: "You know heights." }]);
});

test("blanks and the order of keys do not change the digest; one letter does", async () => {
  const { history, ...rest } = good();
  const shuffled = { history: history.map(({ role, content }) => ({ content, role })), ...rest };
  const digest = (await parsed(good())).digest;
  expect((await parsed(shuffled)).digest).toBe(digest);
  expect((await parsed(bytesOf(JSON.stringify(good(), null, 4)))).digest).toBe(digest);
  expect((await parsed(Buffer.from(`\uFEFF${JSON.stringify(good())}`))).digest).toBe(digest);
  expect((await parsed({ ...good(), question: "How high is it" })).digest).not.toBe(digest);
});

test("keys that the import leaves out are named", async () => {
  const log = { ...good(), seed: 7, history: [{ role: "human", content: "a", tokens: 3 }], mistake_step: "0" };
  expect((await parsed(log)).metadata.ignored_keys).toEqual(["history.*.tokens", "seed"]);
});

describe("a malformed file is refused by the place of its fault", () => {
  test.each<[string, unknown, string]>([
    ["cut short", JSON.stringify(good(), null, 1).slice(0, 60), "line 3, column 27: the end of the file"],
    ["a missing comma", '{"history": [\n  {"role": "human" "content": "a"}]}', 'line 2, column 20: "\\""'],
    ["empty", "", "line 1, column 1: the end of the file"],
    ["a list", [], "the file is not an object"],
    ["text", '"log"', "the file is not an object"],
    ["no history", { question: "a" }, 'history is missing. Expected a who-and-when log: {"history": [{"role"'],
    ["history is an object", { history: {} }, "history is not a list"],
    ["empty history", { history: [] }, "history is empty"],
    ["question is a list", { ...good(), question: [] }, "question is not text"],
    ["a prompt is a number", { ...chat(), system_prompt: { Expert: 7 } }, "system_prompt.Expert is not text"],
    ["prompts are a list", { ...chat(), system_prompt: [] }, "system_prompt is not an object"],
    [
      "nested too deep",
      `{"history":[{"role":"human","content":"a"}],"x":${"[".repeat(2000)}${"]".repeat(2000)}}`,
      "nested deeper than 200 levels",
    ],
  ])("%s", async (_name, file, message) => {
    const refusal = await refusalOf(bytesOf(file));
    expect(refusal.code).toBe("bad_request");
    expect(refusal.message).toContain(message);
  });

  test.each<[string, (log: ReturnType<typeof good>) => void, string]>([
    ["an entry is text", (l) => Object.assign(l.history, { 1: "a" }), "history.1 is not an object"],
    ["an entry is null", (l) => Object.assign(l.history, { 1: null }), "history.1 is not an object"],
    ["an entry without content", (l) => delete l.history[2]?.content, "history.2.content is missing"],
    ["content is null", (l) => Object.assign(l.history[2] ?? {}, { content: null }), "history.2.content is not text"],
    ["content is a list", (l) => Object.assign(l.history[2] ?? {}, { content: [] }), "history.2.content is not text"],
    ["an entry without role", (l) => delete l.history[0]?.role, "history.0.role is missing"],
    [
      "an unknown role",
      (l) => Object.assign(l.history[1] ?? {}, { role: "Orchestrator (dream)" }),
      'history.1.role is "Orch',
    ],
    [
      "a chat role without name",
      (l) => Object.assign(l.history[1] ?? {}, { role: "assistant" }),
      'history.1.role is "assi',
    ],
    ["an empty role", (l) => Object.assign(l.history[1] ?? {}, { role: " " }), 'history.1.role is " "'],
    [
      "delegation to nobody",
      (l) => Object.assign(l.history[1] ?? {}, { role: "Orchestrator (-> )" }),
      "history.1.role",
    ],
    [
      "delegation to itself",
      (l) => Object.assign(l.history[1] ?? {}, { role: "Orchestrator (-> Orchestrator)" }),
      "history.1.role",
    ],
    ["a name in the middle", (l) => Object.assign(l.history[1] ?? {}, { name: "X" }), "history.1.name is set"],
    ["NUL in text", (l) => Object.assign(l.history[1] ?? {}, { content: "a\u0000b" }), "history.1.content holds a NUL"],
    [
      "half a surrogate pair",
      (l) => Object.assign(l.history[1] ?? {}, { content: "\ud800" }),
      "history.1.content holds",
    ],
    ["NUL in the question", (l) => Object.assign(l, { question: "\u0000" }), "question holds a NUL"],
    [
      "a step out of range",
      (l) => Object.assign(l, { mistake_step: "3" }),
      "mistake_step is 3, but history has the places 0 to 2",
    ],
    ["a step that is no number", (l) => Object.assign(l, { mistake_step: "two" }), 'mistake_step is "two"'],
    ["a negative step", (l) => Object.assign(l, { mistake_step: -1 }), "mistake_step is -1"],
    ["a step between", (l) => Object.assign(l, { mistake_step: 1.5 }), "mistake_step is 1.5"],
    ["a step that is a list", (l) => Object.assign(l, { mistake_step: [1] }), "mistake_step is not text, a number"],
    [
      "a name past all measure",
      (l) => Object.assign(l.history[2] ?? {}, { role: "x".repeat(101) }),
      "history.2.role is an agent's name of 101",
    ],
  ])("%s", async (_name, spoil, message) => {
    const log = good();
    spoil(log);
    const refusal = await refusalOf(log);
    expect(refusal.code).toBe("bad_request");
    expect(refusal.message).toContain(message);
  });

  test.each<[string, (log: ReturnType<typeof chat>) => void, string]>([
    ["an entry without name", (l) => delete l.history[1]?.name, "history.1.name is missing"],
    ["an empty name", (l) => Object.assign(l.history[1] ?? {}, { name: "" }), "history.1.name is empty"],
    ["an unknown role", (l) => Object.assign(l.history[1] ?? {}, { role: "robot" }), 'history.1.role is "robot"'],
    ["a name that is a number", (l) => Object.assign(l.history[0] ?? {}, { name: 7 }), "history.0.name is not text"],
  ])("group chat: %s", async (_name, spoil, message) => {
    const log = chat();
    spoil(log);
    expect((await refusalOf(log)).message).toContain(message);
  });

  test("bytes that are no text", async () => {
    const bytes = Buffer.concat([bytesOf('{"history": "äöü'), Buffer.from([0xc3, 0x28]), bytesOf('"}')]);
    expect((await refusalOf(bytes)).message).toBe("the file is not UTF-8 text: byte 20 belongs to no character");
    expect((await refusalOf(Buffer.from("a€").subarray(0, 3))).message).toContain("byte 2 ");
  });

  test("a message larger than a card", async () => {
    const log = good();
    Object.assign(log.history[1] ?? {}, { content: "ä".repeat(524_289) });
    const refusal = await refusalOf(log);
    expect(refusal.code).toBe("payload_too_large");
    expect(refusal.message).toContain("history.1.content has 1048578 bytes");
  });

  test.each([
    ["group chat", { role: "user", name: "Ann", content: "" }, 2_001, "a group chat holds at most 2000"],
    ["log", { role: "human", content: "" }, 50_001, "a log holds at most 50000"],
  ])("more messages than a %s may have", async (_name, entry, count, message) => {
    const refusal = await refusalOf({ history: Array(count).fill(entry) });
    expect([refusal.code, refusal.message]).toEqual(["payload_too_large", expect.stringContaining(message)]);
  });
});
