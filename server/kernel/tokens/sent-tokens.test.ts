// The figures of docs/tokens.md on cards that were counted by hand. In o200k "one two three" is three tokens.
import { expect, test } from "vitest";
import { cardTokens } from "./card-tokens";
import { countTokens } from "./count-tokens";
import { messageTokens, sentTokens } from "./sent-tokens";
import { toolsOnWire } from "./tools-on-wire";

const tool = { tool_name: "search", description: "Find", parameters: { type: "object", properties: {} } };
const call = (raw: string) => ({ id: "tc_1", type: "function", function: { name: "search", arguments: raw } });
const script = { provider: "script" };

test("a text weighs its tokens", () => {
  expect(countTokens("one two three")).toBe(3);
  expect(cardTokens({ content: { kind: "text", text: "one two three" } })).toBe(3);
  expect(messageTokens("one two three")).toBe(3);
});

test("a call weighs its name and its arguments as compact JSON, however it was written", () => {
  const counted = countTokens("search") + countTokens('{"q":"one two"}');
  // search | {" q ":" one _two "}
  expect(counted).toBe(7);
  expect(messageTokens("", [call('{"q":"one two"}')])).toBe(counted);
  expect(messageTokens("", [call('{\n  "q": "one two"\n}')])).toBe(counted);
  const content = { kind: "tool_call" as const, tool_name: "search", arguments: { q: "one two" } };
  expect(cardTokens({ content })).toBe(counted);
});

test("a call whose name is no text is weighed without an error", () => {
  const name = { toString: 1, valueOf: null };
  const counted = countTokens('{"toString":1,"valueOf":null}');
  expect(messageTokens("", [{ function: { name, arguments: name } }])).toBe(2 * counted);
});

test("a thought whose calls are separate cards weighs only its text: calls count once", () => {
  const thought = { content: { kind: "text" as const, text: "one two three" }, tool_calls: [call('{"q":"one two"}')] };
  expect(cardTokens({ ...thought, has_calls_apart: true })).toBe(3);
  expect(cardTokens(thought)).toBe(10);
});

test("a result weighs as compact JSON", () => {
  const result = { a: [1, 2, 3], b: { c: "one two" } };
  expect(cardTokens({ content: { kind: "tool_result", status: "success", result } })).toBe(
    countTokens(JSON.stringify(result)),
  );
});

test("a request weighs prompt, tools as compact JSON and messages, and nothing else", () => {
  const messages = [{ tokens: messageTokens("one two three") }, { tokens: messageTokens("one two") }];
  expect(sentTokens({ system: "one two three", tools: [], messages, llm_config: script })).toEqual({
    tokens: 8,
    tools_tokens: 0,
  });
  const tools_tokens = countTokens(JSON.stringify([tool]));
  expect(sentTokens({ system: "one two three", tools: [tool], messages, llm_config: script })).toEqual({
    tokens: 8 + tools_tokens,
    tools_tokens,
  });
});

test.each([
  ["openai/gpt-5", { type: "function", name: "search", strict: false }],
  ["ollama/qwen3", { type: "function", function: { name: "search", description: "Find" } }],
  ["anthropic/claude-sonnet-4-5", { name: "search", input_schema: { type: "object" } }],
  ["google/gemini-2.5-pro", { functionDeclarations: [{ name: "search" }] }],
])("tools of %s are in its provider's format", (model, form) => {
  expect(toolsOnWire([tool], { model })).toMatchObject([form]);
});
