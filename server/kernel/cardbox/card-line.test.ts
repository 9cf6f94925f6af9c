import { expect, test } from "vitest";
import { titleOf } from "./card-line";

test.each([
  ["  \n\n## Plan for today\nmore", "Plan for today"],
  ["> - quoted", "quoted"],
  ["---\ntitle: x", "title: x"],
  ["-5 degrees", "-5 degrees"],
  ["```json\n{}", "```json"],
  ['{"a":  1,\t"b": 2}', '{"a": 1, "b": 2}'],
  ["", ""],
  ["...", "..."],
])("%j reads %j", (head, title) => {
  expect(titleOf(head)).toBe(title);
});

test("a title is cut by letters and never within one", () => {
  const title = titleOf("😀".repeat(600));
  expect([...title]).toHaveLength(240);
  expect(title.endsWith("😀")).toBe(true);
});
