// A box as messages, on turns created by the kernel itself: whose prompt it is, what is joined, and where it is cut.
import { afterAll, beforeAll, expect, test } from "vitest";
import { BoxAsSent } from "@/server/contract/answers/box-as-sent";
import type { DelegateResult } from "@/server/contract/delegation";
import { callersOf, type Running, toNew } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { countStatements } from "@/server/testing/statements";
import { gatherBox } from "../cardbox/gather-box";
import { insertCards } from "../cardbox/insert-cards";
import { appendOutput } from "../turns/append-output";
import { withUnit } from "../unit";
import { readBoxAsSent } from "./read-box-as-sent";

const project_id = "as_sent";
let kernel: TestKernel;
let boss: Running;
let child: DelegateResult;
const { running, accepted } = callersOf(() => kernel, project_id);

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, project_id, [
    { name: "Boss" },
    { name: "Helper", system_prompt: "You help with storage." },
  ]);
  await seedProject(kernel, "other");
  boss = await running("Boss");
  const by = { author_id: boss.agent_id };
  const call = { id: "tc_1", type: "function", function: { name: "search", arguments: '{"q":"iron-air"}' } };
  await appendOutput(kernel, {
    ...boss,
    cards: [
      { card_id: "thought", type: "agent.thought", content: "I look it up.", tool_calls: [call], ...by },
      {
        ...{ card_id: "call", type: "tool.call", tool_call_id: "tc_1", ...by },
        content: { kind: "tool_call", tool_name: "search", arguments: { q: "iron-air" } },
      },
      {
        ...{ card_id: "result", type: "tool.result", tool_call_id: "tc_1", author_id: "search" },
        content: { kind: "tool_result", status: "success", result: "three hits" },
      },
    ],
  });
  child = await accepted(boss, toNew("Helper", { context_box_id: boss.turn.output_box_id }));
});
afterAll(() => kernel.close());

const sentOf = (box_id: string | null, project = project_id) =>
  readBoxAsSent(kernel, { project_id: project, box_id: box_id ?? "" });

async function boxOfTexts(name: string, texts: readonly string[]): Promise<string> {
  const box = await withUnit(kernel, async (unit) => {
    const cards = texts.map((content, i) => ({
      ...{ card_id: `${name}_${i}`, type: "task.instruction", content, author_id: "ann" },
    }));
    await insertCards(unit, { project_id, cards });
    return gatherBox(unit, { project_id, card_ids: cards.map((card) => card.card_id) });
  });
  return box.box_id;
}

test("a context has its reader's prompt, and each message the places of its cards", async () => {
  const sent = await sentOf(child.context_box_id);
  expect(BoxAsSent.parse(sent)).toEqual(sent);
  expect(sent.reader).toMatchObject({ agent_turn_id: child.agent_turn_id });
  expect(sent.system?.text).toMatch(/^You help with storage\.\n\n## System Context\nYou are an agent named "Helper"/);
  const instruction = sent.messages.at(-1);
  expect(instruction?.text).toContain("[Delegation Context]");
  expect(instruction?.cards.map((card) => card.type)).toEqual(["meta.delegation_context", "task.instruction"]);
  const told = sent.messages.flatMap((message) => message.cards.map((card) => card.position));
  expect(sent.cards_read).toBe(sent.cards);
  expect(new Set(told).size + sent.cards_unsent).toBe(sent.cards);
  // Another agent's work is told as background, never in the reader's own voice.
  expect(sent.messages.every((message) => message.role !== "assistant")).toBe(true);
});

test("an output is in its writer's own voice, and the call of a thought is not sent twice", async () => {
  const sent = await sentOf(boss.turn.output_box_id);
  expect(sent.messages.map((message) => message.role)).toEqual(["assistant", "tool"]);
  expect(sent.messages[0]).toMatchObject({
    text: "I look it up.",
    cards: [{ card_id: "thought", position: 0 }],
    tool_calls: [{ id: "tc_1", tool_name: "search", arguments: '{"q":"iron-air"}', letters: 16 }],
  });
  expect(sent.messages[1]).toMatchObject({ text: '"three hits"', tool_call_id: "tc_1" });
  expect(sent.cards_unsent).toBe(1);
});

test("a box that no turn reads is its cards alone, without a prompt", async () => {
  const sent = await sentOf(await boxOfTexts("alone", ["one", "two"]));
  expect(sent).not.toHaveProperty("reader");
  expect(sent).not.toHaveProperty("system");
  expect(sent.messages.map((message) => message.text)).toEqual(["one", "two"]);
});

test("long texts, many cards and much text are cut, and the answer says of how much", async () => {
  const long = await sentOf(await boxOfTexts("long", ["x".repeat(20_000), "short"]));
  expect(long.messages.map(({ text, letters }) => [text.length, letters])).toEqual([
    [16_000, 20_000],
    [5, 5],
  ]);
  const much = await sentOf(
    await boxOfTexts(
      "much",
      Array.from({ length: 70 }, (_, i) => `${i} `.padEnd(16_000, "y")),
    ),
  );
  expect([much.messages.length, much.messages_total, much.cards_read]).toEqual([62, 70, 70]);
  const heavy = await sentOf(
    await boxOfTexts(
      "heavy",
      Array.from({ length: 12 }, (_, i) => `${i} `.padEnd(1_000_000, "z")),
    ),
  );
  expect([heavy.cards, heavy.cards_read]).toEqual([12, 8]);
});

test("of 2,001 cards the first 2,000 are read, with as many statements as of two", async () => {
  const many = await boxOfTexts(
    "many",
    Array.from({ length: 2_001 }, (_, i) => `card ${i}`),
  );
  const sent = await sentOf(many);
  expect([sent.cards, sent.cards_read, sent.messages_total]).toEqual([2_001, 2_000, 2_000]);
  expect(sent.messages.at(-1)?.cards[0]?.position).toBe(1_999);
  const few = await boxOfTexts("few", ["a", "b"]);
  const count = (box_id: string) =>
    countStatements(kernel, (counting) => readBoxAsSent(counting, { project_id, box_id }));
  expect(await count(many)).toBe(await count(few));
});

test("a box of another project and an unknown one get the same answer", async () => {
  await expect(sentOf(child.context_box_id, "other")).rejects.toMatchObject({ code: "not_found" });
  await expect(sentOf("none")).rejects.toMatchObject({ code: "not_found" });
});
