// An invariant without a test is a wish: SPEC.md names one for each, and this fails when it is not there.
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const spec = readFileSync(new URL("./SPEC.md", import.meta.url), "utf8");
const sections = spec
  .split(/^## /m)
  .slice(1)
  .map((text) => ({ id: /^K\d+/.exec(text)?.[0] ?? text.slice(0, 20), text: text.split(/^# /m)[0] ?? "" }));

test("K1 to K23 are there, each once and in order", () => {
  expect(sections.map((s) => s.id)).toEqual(Array.from({ length: 23 }, (_, i) => `K${i + 1}`));
});

describe.each(sections)("$id", ({ text }) => {
  const tests = [...text.matchAll(/^Test: `([^`]+)` > (.+)$/gm)].map((m) => ({ file: m[1] ?? "", name: m[2] ?? "" }));
  test("says what enforces it, and has a test", () => {
    expect(text).toMatch(/^Held by: \S/m);
    expect(text).not.toContain("Not yet built");
    expect(tests).not.toEqual([]);
  });
  test.each(tests)("$file > $name", ({ file, name }) => {
    expect(existsSync(file), `${file} not found`).toBe(true);
    expect(readFileSync(file, "utf8"), `${file} has no test of that name`).toContain(`"${name}`);
  });
});

const figures = spec.split(/^# /m).find((part) => part.startsWith("Figures of tokens")) ?? "";
const figureTests = [...figures.matchAll(/^Test: `([^`]+)` > (.+)$/gm)].map((m) => [m[1] ?? "", m[2] ?? ""] as const);
test("the rules of token figures have tests", () => expect(figureTests.length).toBeGreaterThan(4));
test.each(figureTests)("figures: %s > %s", (file, name) =>
  expect(readFileSync(file, "utf8"), `${file} has no test of that name`).toContain(`"${name}`),
);

const limits = spec.split(/^# /m).find((part) => part.startsWith("Limits of a run")) ?? "";
const limitTests = [...limits.matchAll(/^Test: `([^`]+)` > (.+)$/gm)].map((m) => [m[1] ?? "", m[2] ?? ""] as const);
test("the rules of limits have tests", () => expect(limitTests.length).toBeGreaterThan(3));
test.each(limitTests)("limits: %s > %s", (file, name) =>
  expect(readFileSync(file, "utf8"), `${file} has no test of that name`).toContain(`"${name}`),
);

const named = [...new Set([...spec.matchAll(/`([a-z-]+\/[a-z-]+\.ts)`/g)].map((m) => m[1] ?? ""))];
test.each(named)("%s, named as what enforces or moves something, exists", (file) => {
  expect(existsSync(new URL(`./${file}`, import.meta.url))).toBe(true);
});
