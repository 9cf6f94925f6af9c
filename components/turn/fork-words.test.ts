import { describe, expect, test } from "vitest";
import { type CardContent, contentText } from "@/server/contract/card";
import type { SeenMessage } from "@/server/contract/turn-sheet";
import { askOf, type Choices, contentOf, followers, forkLines, refusalOf } from "./fork-words";

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
    expect(lines.join(" ")).toContain("from step 3");
    expect(lines[1]).toBe(
      "0 messages go on by reference, 1 replaced, 1 dropped. Of their 5 cards: 1 by reference, 1 replaced, 3 dropped.",
    );
    expect(lines[3]).toContain("2 messages more go with it");
    expect(lines.at(-1)).toContain("2S04 does not change");
  });
  test("what was written for a result that goes with its call is neither counted nor asked for", () => {
    const choices: Choices = new Map([
      ["call", { kind: "drop" }],
      ["one", { kind: "replace", with: "x" }],
    ]);
    expect(askOf(messages, choices)).toEqual({ replace: [], drop: ["call"] });
    expect(forkLines(turn, { ordinal: 3, messages }, choices)[1]).toBe(
      "1 message goes on by reference, 1 dropped. Of their 5 cards: 2 by reference, 3 dropped.",
    );
  });
  test("a result edited as the JSON that it is shown as reaches the model as such", () => {
    const was = { kind: "tool_result", status: "success", result: { hits: 1 } } as const;
    for (const value of [{ hits: 2 }, "words", false, null, []]) {
      const content = contentOf(JSON.stringify(value, null, 2), was);
      expect(content).toEqual({ kind: "tool_result", status: "success", result: value });
      expect(contentText(content as CardContent)).toBe(JSON.stringify(value, null, 2));
    }
    expect(contentOf("no JSON {", was)).toBe("no JSON {");
    expect(contentOf('{"hits": 2}', { kind: "text", text: "{}" })).toBe('{"hits": 2}');
    const failed = { kind: "tool_result", status: "failed", error: { code: "away", message: "m" } } as const;
    const other = { code: "away", message: "another" };
    expect(contentOf(JSON.stringify(other), failed)).toEqual({ kind: "tool_result", status: "failed", error: other });
    expect(contentOf("[1]", failed)).toEqual({ kind: "tool_result", status: "success", result: [1] });
  });
  test("asks for exactly what was chosen; an empty replacement is said to be one", () => {
    const choices: Choices = new Map([
      ["ask", { kind: "replace", with: "x" }],
      ["one", { kind: "drop" }],
    ]);
    expect(askOf(messages, choices)).toEqual({ replace: [{ card_id: "ask", with: "x" }], drop: ["one"] });
    expect(refusalOf(choices)).toBeNull();
    expect(refusalOf(new Map([["ask", { kind: "replace", with: " " }]]))).toContain("empty");
  });
});
