import { expect, test } from "vitest";
import type { Card, CardContent } from "@/server/contract/card";
import { lineOf, titleOf } from "./card-line";

test.each([
  ["  \n\n## Plan for today\n\n- more", "Plan for today more"],
  ["Updated ledger:\n{ what is known }\nand the rest", "Updated ledger: { what is known } and the rest"],
  [
    "A first line that says all there is to say here.\nThe second is not needed.",
    "A first line that says all there is to say here.",
  ],
  ["> - quoted", "quoted"],
  ["---\ntitle: x", "title: x"],
  ["-5 degrees", "-5 degrees"],
  ['```json\n{"a": 1}', '{"a": 1}'],
  ['{"a":  1,\t"b": 2}', '{"a": 1, "b": 2}'],
  ["", ""],
  ["...", "..."],
])("%j reads %j", (head, title) => {
  expect(titleOf(head)).toBe(title);
});

test("a title is cut between characters, never within one", () => {
  const title = titleOf("😀".repeat(600));
  expect([...title]).toHaveLength(240);
  expect(title.endsWith("😀")).toBe(true);
});

const card = (content: CardContent | null): Card => ({
  card_id: "c",
  project_id: "p",
  type: "t",
  role: "user",
  author_id: "a",
  content,
  ...(content === null ? { gone: "deleted" as const } : {}),
  metadata: { redacted_from: "original" },
  content_hash: "h",
  token_count: 7,
  created_at: "2026-01-01T00:00:00.000Z",
});

test.each<[CardContent | null, string]>([
  [
    { kind: "text", text: "\n\nA question of some length, which is asked here" },
    "A question of some length, which is asked here",
  ],
  [{ kind: "tool_call", tool_name: "search", arguments: { q: "x" } }, 'search {"q":"x"}'],
  [{ kind: "tool_result", status: "success", result: { summary: "three hits" } }, "three hits"],
  [{ kind: "tool_result", status: "success", result: "plain words" }, "plain words"],
  [{ kind: "tool_result", status: "failed", error: { code: "away", message: "no answer" } }, "no answer"],
  [{ kind: "json", data: { fields: [{ name: "a", value: "b" }] } }, "a: b"],
  [{ kind: "json", data: { name: "Writer", b: 1 } }, "Writer"],
  [{ kind: "json", data: { caller: { name: "Boss" }, depth: 2 } }, "Called by Boss"],
  [{ kind: "json", data: { parent_agent_id: "boss_1" } }, "parent boss_1"],
  [{ kind: "json", data: null }, "null"],
  [{ kind: "fields_schema", fields: [{ name: "x", description: "y" }] }, "x"],
  [null, ""],
])("a card of %j is called %j", (content, title) => {
  expect(lineOf(card(content))).toMatchObject({ title, token_count: 7, redacted_from: "original" });
});
