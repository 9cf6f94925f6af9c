import * as fc from "fast-check";
import { expect, test } from "vitest";
import { plainTitle, plainWords } from "./plain-words";

test.each([
  ["**What breaks** (a demo)\n\n1. One.\n2. Two.", "What breaks (a demo) 1. One. 2. Two."],
  [
    "**Found**\n\n- `SKIP LOCKED` (since 9.5)\n  passes over rows\n- `NOTIFY` rings",
    "Found · SKIP LOCKED (since 9.5) passes over rows · NOTIFY rings",
  ],
  ["## Plan ##\n\n> *quoted* and __strong__", "Plan quoted and strong"],
  ["***both*** and **bold with *italic* in it**", "both and bold with italic in it"],
  ["**use `a ** b` now**", "use a ** b now"],
  ["``a ` b`` stays", "a ` b stays"],
  ['see [the page](https://example.org/a_(b) "title") and ![a picture](x.png)', "see the page and a picture"],
  ["<https://example.org/a_b_c>", "https://example.org/a_b_c"],
  ["- [x] done\n- [ ] open", "done · open"],
  ["| a | b |\n|---|:-:|\n| 1 | 2 |", "a, b 1, 2"],
  ["Title\n=====\n\n---\n\ntext", "Title text"],
  ["```sql\nSELECT 1\n```", "SELECT 1"],
  ["~~old~~ new", "old new"],
  ["\\*not emphasis\\*", "*not emphasis*"],
  ["**cut off before its e", "cut off before its e"],
  ["snake_case_name, __init__x, 2**3**4, 2 * 3 * 4, a*b*c", "snake_case_name, __init__x, 2**3**4, 2 * 3 * 4, a*b*c"],
  ["-5 degrees, #3, a > b", "-5 degrees, #3, a > b"],
  ["", ""],
  ["***", ""],
])("%j reads %j", (markdown, words) => {
  expect(plainWords(markdown)).toBe(words);
});

test("what has no marks stays as it is, but for its blanks, and any text comes to an end", () => {
  const plain = fc.stringMatching(/^[a-z0-9,.;:()]{1,12}( [a-z,.;:()]{1,12}){0,8}$/);
  void fc.assert(
    fc.property(plain, (text) => {
      expect(plainWords(text)).toBe(text);
    }),
  );
  const marked = fc.string({
    unit: fc.constantFrom("*", "_", "`", "~", "[", "]", "(", ")", "\\", "a", " ", "\n", "|", "-"),
    maxLength: 2000,
  });
  void fc.assert(
    fc.property(marked, (text) => {
      expect(plainWords(text)).not.toMatch(/\n|\s{2}/);
    }),
    { numRuns: 50 },
  );
});

test("a title loses its marks, data that stands in its place keeps every sign", () => {
  expect(plainTitle("**Plan** for `x`")).toBe("Plan for x");
  expect(plainTitle("[A link](https://example.org) first")).toBe("A link first");
  for (const data of ['{"a":"**b**"}', '["*a*", "_b_"]', 'delegate_async {"instruction":"**weigh**"}'])
    expect(plainTitle(data)).toBe(data);
});
