import { describe, expect, test } from "vitest";
import type { SeenMessage } from "@/server/contract/turn-sheet";
import { askOf, type Choices, followers, forkLines, refusalOf } from "./fork-words";

const message = (card_id: string, more: Partial<SeenMessage> = {}): SeenMessage => ({
  role: "user",
  text: card_id,
  letters: card_id.length,
  tokens: 1,
  cards: [{ card_id, type: "task.instruction" }],
  tool_calls: [],
  is_added: false,
  ...more,
});
const call = (id: string) => ({ id, tool_name: "f", arguments: "{}" });
const messages = [
  message("ask", {
    cards: [
      { card_id: "facts", type: "meta.delegation_context" },
      { card_id: "ask", type: "task.instruction" },
    ],
  }),
  message("call", { role: "assistant", text: "", tool_calls: [call("a"), call("b")] }),
  message("one", { role: "tool", tool_call_id: "a" }),
  message("two", { role: "tool", tool_call_id: "b" }),
];
const drop = (...ids: string[]): Choices => new Map(ids.map((id) => [id, { kind: "drop" }]));
const turn = { headcode: "2S04", profile_name: "Search" };

describe("forking", () => {
  test("a dropped thought takes its results along, all results a thought without words", () => {
    expect([...followers(messages, drop("call"))]).toEqual(["one", "two"]);
    expect([...followers(messages, drop("one"))]).toEqual([]);
    expect([...followers(messages, drop("one", "two"))]).toEqual(["call"]);
  });
  test("says what goes on, what is replaced, what goes with it, and what stays", () => {
    const lines = forkLines(
      turn,
      { ordinal: 3, messages },
      new Map([
        ["ask", { kind: "replace", with: "x" }],
        ["call", { kind: "drop" }],
      ]),
    );
    expect(lines.join(" ")).toContain("at step 3");
    expect(lines[1]).toBe("0 messages go on by reference, 1 replaced, 1 dropped.");
    expect(lines[2]).toContain("2 messages more go with it");
    expect(lines.at(-1)).toContain("2S04 stays as it is");
  });
  test("asks for exactly what was chosen; an empty replacement is said to be one", () => {
    const choices: Choices = new Map([
      ["ask", { kind: "replace", with: "x" }],
      ["one", { kind: "drop" }],
    ]);
    expect(askOf(choices)).toEqual({ replace: [{ card_id: "ask", with: "x" }], drop: ["one"] });
    expect(refusalOf(choices)).toBeNull();
    expect(refusalOf(new Map([["ask", { kind: "replace", with: " " }]]))).toContain("empty");
  });
});
