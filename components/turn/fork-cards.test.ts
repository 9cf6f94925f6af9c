import { describe, expect, test } from "vitest";
import type { SeenMessage } from "@/server/contract/turn-sheet";
import { cardOf, irreplaceable, typesOf, undroppable, withoutHeader } from "./fork-cards";
import { askOf, type Choices, forkLines } from "./fork-words";

/** Cards by their types; the id of a card is its type and its place. */
const message = (types: string[], more: Partial<SeenMessage> = {}): SeenMessage => ({
  role: "user",
  text: types.join(),
  letters: 1,
  tokens: 1,
  cards: types.map((type, i) => ({ card_id: `${type}${i}`, type })),
  tool_calls: [],
  is_added: false,
  ...more,
});
const header = "[Background from A [b] (agent of profile A), not your own work]\n\n";
const background = message(["agent.thought", "tool.result", "agent.thought", "tool.result"], {
  text: `${header}I look.`,
});
const edited = message(["meta.approved_call", "tool.result"], { role: "tool", tool_call_id: "c" });
const task = message(["meta.delegation_context", "task.instruction"]);
const turn = { headcode: "2S04", profile_name: "Search" };
const lines = (messages: SeenMessage[], choices: Choices) => forkLines(turn, { ordinal: 1, messages }, choices);
const drop = { kind: "drop" } as const;
const words = { kind: "replace", with: "x" } as const;

describe("a message of several cards", () => {
  test("goes with all of them: the last one alone left the model most of the message", () => {
    expect(askOf([background], new Map([["agent.thought2", drop]]))).toEqual({
      replace: [],
      drop: ["agent.thought0", "tool.result1", "agent.thought2", "tool.result3"],
    });
  });
  test("is replaced as a whole: a card that survives its calls gets the text, the others go", () => {
    expect(askOf([background], new Map([["agent.thought2", words]]))).toEqual({
      replace: [{ card_id: "agent.thought2", with: "x" }],
      drop: ["agent.thought0", "tool.result1", "tool.result3"],
    });
  });
  test("what Switchyard has written is not asked to go, and the lines say that it stays", () => {
    expect(askOf([edited], new Map([["tool.result1", drop]])).drop).toEqual(["tool.result1"]);
    expect(askOf([task], new Map([["task.instruction1", words]]))).toEqual({
      replace: [{ card_id: "task.instruction1", with: "x" }],
      drop: [],
    });
    const said = lines(
      [edited, task, background],
      new Map<string, typeof drop | typeof words>([
        ["tool.result1", drop],
        ["task.instruction1", words],
        ["agent.thought2", drop],
      ]),
    );
    expect(said[1]).toBe(
      "0 messages go on by reference, 1 replaced, 2 dropped. Of their 8 cards: 2 by reference, 1 replaced, 5 dropped.",
    );
    expect(said).toContain("Message 1 loses tool.result. meta.approved_call stays, because Switchyard writes it.");
    expect(said).toContain(
      "Your text for message 2 takes the place of task.instruction. meta.delegation_context stays, because Switchyard writes it.",
    );
    expect(lines([background], new Map([["agent.thought2", words]]))).toContain(
      "Your text for message 1 takes the place of 4 cards: 2 agent.thought, 2 tool.result and is sent as the agent's own words.",
    );
    expect(said).toContain("Message 3 loses 4 cards: 2 agent.thought, 2 tool.result.");
  });
  test("a text in the place of another agent's single card is the agent's own too", () => {
    const single = message(["agent.thought"], { text: `${header}I look.` });
    expect(lines([single], new Map([["agent.thought0", words]]))).toContain(
      "Your text for message 1 takes the place of agent.thought and is sent as the agent's own words.",
    );
  });
  test("of more cards than a fork may drop, neither is offered", () => {
    const many = message(Array.from({ length: 1_001 }, () => "agent.thought"));
    expect([undroppable(many, undefined), irreplaceable(many)]).toEqual([
      expect.stringContaining("more than 1,000 cards"),
      expect.stringContaining("more than 1,000 cards"),
    ]);
  });
  test("cards that go with their call are counted too", () => {
    const call = message(["agent.thought"], { tool_calls: [{ id: "c", tool_name: "f", arguments: "{}" }] });
    const [, counts] = lines([call, edited], new Map([["agent.thought0", drop]]));
    expect(counts).toBe("0 messages go on by reference, 1 dropped. Of their 3 cards: 1 by reference, 2 dropped.");
  });
  test("one card a message: the number of messages says it all", () => {
    expect(lines([message(["agent.thought"])], new Map())[1]).toBe("1 message goes on by reference.");
  });
});

test("what can't be chosen says why", () => {
  expect(undroppable(task, "task.instruction1")).toContain("the instruction");
  expect(undroppable(task, "of another turn")).toBeNull();
  expect(undroppable(message(["meta.note"]), undefined)).toContain("Switchyard writes");
  expect(irreplaceable(message(["tool.call"]))).toContain("Replace its result");
  expect(irreplaceable(message(["tool.result", "tool.result"]))).toContain("Drop it instead");
  expect([background, edited, task].map(irreplaceable)).toEqual([null, null, null]);
});

test("the card that stands for a message is one that a fork can change", () => {
  expect([background, edited, task].map((one) => cardOf(one)?.card_id)).toEqual([
    "agent.thought2",
    "tool.result1",
    "task.instruction1",
  ]);
  expect(typesOf(background.cards)).toBe("2 agent.thought, 2 tool.result");
  expect(withoutHeader("[Background from A [b] (agent of profile A), not your own work]\n\nI look.")).toBe("I look.");
});
