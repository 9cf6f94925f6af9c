import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonLines } from "./json-lines";
import { pageMarkdown } from "./markdown-pages";
import {
  cutLine,
  findInLines,
  lineText,
  markHits,
  rowLettersMax,
  splitRedacted,
  textLines,
  yamlLines,
} from "./reader-lines";

const nothingTurned: ReadonlySet<string> = new Set();

test("all lines of a JSON value read together are that value", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = jsonLines(value, nothingTurned, true).map(lineText).join("");
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("a small value starts open, a big one with its first levels", () => {
  expect(jsonLines({ a: { b: { c: 1 } } }, nothingTurned, false)).toHaveLength(7);
  const big = { rows: Array.from({ length: 2000 }, (_, id) => ({ id })) };
  const lines = jsonLines(big, nothingTurned, false);
  expect(lines).toHaveLength(2004);
  expect(lineText(lines[2] ?? { number: 0, indent: 0, spans: [] })).toContain("1 key");
});

test("turning a path over folds it, and opens what started folded", () => {
  const folded = jsonLines({ a: { b: 1 } }, new Set(["$/a"]), false);
  expect(folded.map(lineText)).toHaveLength(3);
  const big = { rows: Array.from({ length: 2000 }, (_, id) => ({ id })) };
  expect(jsonLines(big, new Set(["$/rows/0"]), false)).toHaveLength(2006);
});

test("a key with a slash does not fold another path", () => {
  const value = { "a/b": { x: 1 }, a: { b: { x: 1 } } };
  const lines = jsonLines(value, new Set(["$/a/b"]), false).map(lineText);
  expect(lines.filter((line) => line.includes("1 key"))).toHaveLength(1);
});

test("a value nested ten thousand deep is drawn without overflowing", () => {
  let deep: unknown = 1;
  for (let i = 0; i < 10_000; i += 1) deep = [deep];
  expect(jsonLines(deep, nothingTurned, true).length).toBeLessThan(1200);
});

test("a long line is cut into rows that together are the line", () => {
  const text = "word ".repeat(5000);
  const rows = textLines(text);
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.map(lineText).join("")).toBe(text);
  expect(rows.every((row) => lineText(row).length <= rowLettersMax)).toBe(true);
  expect(rows.map((row) => row.number).slice(0, 2)).toEqual([1, null]);
});

test("a letter outside the basic plane is never cut in two", () => {
  const rows = cutLine(1, 0, [{ text: `${"x".repeat(rowLettersMax - 1)}𝄞${"y".repeat(10)}`, tone: "plain" }]);
  expect(rows.map(lineText).every((row) => !/[\uD800-\uDBFF]$/.test(row))).toBe(true);
});

test("hits are found and marked across spans, in any case", () => {
  const lines = jsonLines({ Snippet: "Capital cost" }, nothingTurned, false);
  expect(findInLines(lines, "capital")).toEqual([1]);
  const marked = markHits(lines[1]?.spans ?? [], 'snippet": "cap');
  expect(
    marked
      .filter((span) => span.isHit)
      .map((span) => span.text)
      .join(""),
  ).toBe('Snippet": "Cap');
  expect(marked.map((span) => span.text).join("")).toBe('"Snippet": "Capital cost"');
  expect(findInLines(lines, "")).toEqual([]);
});

test("YAML keeps every letter and sets keys off", () => {
  const text = 'a: 1\n# note\n- b: "x"\nplain text\n';
  const lines = yamlLines(text);
  expect(lines.map(lineText).join("\n")).toBe(text);
  expect(lines[0]?.spans.find((span) => span.tone === "key")?.text).toBe("a");
  expect(lines[2]?.spans.find((span) => span.tone === "key")?.text).toBe("b");
});

test("pages of Markdown together are the text and do not tear a fence", () => {
  const fence = `\`\`\`\n${"code\n\n".repeat(30)}\`\`\`\n\n`;
  const text = `intro\n\n${"para\n\n".repeat(50)}${fence}${"more\n\n".repeat(50)}`;
  const pages = pageMarkdown(text, 200);
  expect(pages.join("")).toBe(text);
  expect(pages.length).toBeGreaterThan(2);
  expect(pages.filter((page) => page.includes("```")).every((page) => page.split("```").length === 3)).toBe(true);
  expect(pageMarkdown("x".repeat(1000), 300).join("")).toHaveLength(1000);
});

test("placeholders of redactions stand apart from the text around them", () => {
  expect(splitRedacted('"Bearer [REDACTED:bearer]",')).toEqual(['"Bearer ', "bearer", '",']);
  expect(splitRedacted("[REDACTED:jwt][REDACTED:aws_key]")).toEqual(["", "jwt", "", "aws_key", ""]);
  expect(splitRedacted("[REDACTED: no kind]")).toEqual(["[REDACTED: no kind]"]);
});
