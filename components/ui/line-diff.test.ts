import { expect, test } from "vitest";
import { type DiffLine, lineDiff, withContext } from "./line-diff";

const signs = { same: " ", removed: "-", added: "+" };
const told = (diff: readonly (DiffLine | null)[]) => diff.map((line) => (line ? signs[line.kind] + line.text : "…"));

test.each([
  ["a\nb", "a\nb", [" a", " b"]],
  ["a\nb\nc", "a\nx\nc", [" a", "-b", "+x", " c"]],
  ["a\nc", "a\nb\nc", [" a", "+b", " c"]],
  ["a\nb\nc\nd", "b\nx\nd", ["-a", " b", "-c", "+x", " d"]],
  ["a", "a\na", [" a", "+a"]],
])("%j to %j", (before, after, diff) => {
  expect(told(lineDiff(before, after))).toEqual(diff);
});

test("both sides can be read back out of it, also where it is too long to compare", () => {
  const old = Array.from({ length: 700 }, (_, n) => `old ${n}`);
  const now = Array.from({ length: 700 }, (_, n) => (n % 7 === 0 ? `old ${n}` : `new ${n}`));
  const diff = lineDiff(old.join("\n"), now.join("\n"));
  const side = (not: DiffLine["kind"]) => diff.filter((line) => line.kind !== not).map((line) => line.text);
  expect(side("added")).toEqual(old);
  expect(side("removed")).toEqual(now);
});

test("what is far from a change is left out, and that it is", () => {
  const before = Array.from({ length: 9 }, (_, n) => `${n}`).join("\n");
  expect(told(withContext(lineDiff(before, before.replace("4", "x")), 1))).toEqual(["…", " 3", "-4", "+x", " 5", "…"]);
});
