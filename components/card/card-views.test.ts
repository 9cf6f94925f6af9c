import { expect, test } from "vitest";
import type { CardContent } from "@/server/contract/card";
import { blackouts, looksLikeMarkdown, readable } from "./card-views";

const text = (words: string): CardContent => ({ kind: "text", text: words });

test.each<[string, CardContent, string[]]>([
  ["plain words", text("Which storage undercuts lithium?\n\nSay why."), ["text", "markdown", "raw"]],
  ["a plan", text("## Plan\n- one\n- two"), ["markdown", "text", "raw"]],
  ["JSON sent as text", text('{"a": [1, 2]}'), ["json", "text", "raw"]],
  ["a bracket that is no JSON", text("{name} writes"), ["text", "markdown", "raw"]],
  ["a number", text("42"), ["text", "markdown", "raw"]],
  ["a tool call", { kind: "tool_call", tool_name: "search", arguments: { q: "x" } }, ["json", "text", "raw"]],
  [
    "a tool result of prose",
    { kind: "tool_result", status: "success", result: "# Found\nthree" },
    ["markdown", "text", "raw"],
  ],
  [
    "a deliverable",
    { kind: "json", data: { fields: [{ name: "summary", value: "done" }] } },
    ["fields", "json", "raw"],
  ],
  ["fields without names", { kind: "json", data: { fields: [1] } }, ["json", "text", "raw"]],
  [
    "what is asked for",
    { kind: "fields_schema", fields: [{ name: "summary", description: "one line" }] },
    ["fields", "json", "raw"],
  ],
])("%s", (_, content, views) => {
  expect(readable(content).views).toEqual(views);
});

test("a failed result shows its error", () => {
  const content: CardContent = { kind: "tool_result", status: "failed", error: { code: "away", message: "no answer" } };
  expect(readable(content).json).toEqual({ code: "away", message: "no answer" });
});

test("a field that is no text is shown as JSON", () => {
  const content: CardContent = { kind: "json", data: { fields: [{ name: "table", value: { a: 1 } }] } };
  expect(readable(content).fields).toEqual([{ name: "table", text: '{\n  "a": 1\n}' }]);
});

test("emphasis makes Markdown, a lone asterisk does not", () => {
  expect(looksLikeMarkdown("this is **important**")).toBe(true);
  expect(looksLikeMarkdown("2 * 3 * 4")).toBe(false);
});

test("placeholders are found with their place", () => {
  const content: CardContent = {
    kind: "tool_result",
    status: "success",
    result: { request: { "auth/key": "Bearer [REDACTED:bearer]" }, rows: ["[REDACTED:jwt] [REDACTED:jwt]"] },
  };
  expect(blackouts(content)).toEqual([
    { kind: "bearer", pointer: "/request/auth~1key" },
    { kind: "jwt", pointer: "/rows/0" },
    { kind: "jwt", pointer: "/rows/0" },
  ]);
  expect(blackouts(text("no secret"))).toEqual([]);
});
