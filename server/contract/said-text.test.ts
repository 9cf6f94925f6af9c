import { expect, test } from "vitest";
import type { CardContent } from "./card";
import { indented, saidText } from "./said-text";

test.each<[CardContent | null, string]>([
  [null, ""],
  [{ kind: "text", text: " as it is\n" }, " as it is\n"],
  [{ kind: "tool_call", tool_name: "x", arguments: { a: 1 } }, '{"a":1}'],
  [{ kind: "tool_result", status: "success", result: "plain" }, "plain"],
  [{ kind: "tool_result", status: "failed", error: { code: "x", message: "It broke." } }, "It broke."],
  [{ kind: "tool_result", status: "success" }, ""],
  [
    { kind: "json", data: { fields: [{ name: "summary", value: "Two" }, { name: "n", value: 2 }, 3] } },
    "summary: Two\n\nn: 2",
  ],
  [{ kind: "json", data: { fields: [] } }, '{"fields":[]}'],
  [{ kind: "fields_schema", fields: [{ name: "a", description: "b" }] }, '[{"name":"a","description":"b"}]'],
])("%j reads %j", (content, text) => {
  expect(saidText(content)).toBe(text);
});

test("JSON is broken into lines, and what only looks like it is left alone", () => {
  expect(indented('{"a": [1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
  expect(indented('{"a": [1')).toBe('{"a": [1');
  expect(indented("[note] see below")).toBe("[note] see below");
  expect(indented("42")).toBe("42");
});
