import { expect, test } from "vitest";
import { titleOf } from "./card-line";

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

test("a title is cut by letters and never within one", () => {
  const title = titleOf("😀".repeat(600));
  expect([...title]).toHaveLength(240);
  expect(title.endsWith("😀")).toBe(true);
});
