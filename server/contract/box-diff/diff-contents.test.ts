import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CardContent } from "../card";
import { alignWords } from "./align-words";
import { COMPARED_MAX, diffContents } from "./diff-contents";
import { pathDiff } from "./path-diff";
import { wordDiff } from "./word-diff";

const signs = { same: " ", removed: "-", added: "+" };
const told = (before: string, after: string) => {
  const change = wordDiff(before, after);
  if (change.how !== "words") throw new Error("texts are compared by words");
  return change.words.map(({ kind, text }) => `${signs[kind]}${text}`);
};

describe("words", () => {
  test.each([
    ["a b c", "a b c", [" a b c"]],
    ["a b c", "a x c", [" a ", "-b ", "+x ", " c"]],
    ["b c", "a b c", ["+a ", " b c"]],
    ["", "a", ["+a"]],
    ["one two three four", "two three five four", ["-one ", " two three ", "+five ", " four"]],
  ])("%j to %j", (before, after, words) => expect(told(before, after)).toEqual(words));

  test("long equal parts are cut, and say how many letters are missing", () => {
    const calm = "calm ".repeat(200);
    const change = wordDiff(`${calm}old ${calm}`, `${calm}new ${calm}`);
    if (change.how !== "words") throw new Error("texts are compared by words");
    const [before, removed, added, after] = change.words;
    expect([removed?.text, added?.text]).toEqual(["old ", "new "]);
    expect(before).toMatchObject({ kind: "same", cut: 840 });
    expect(after).toMatchObject({ kind: "same", cut: 840 });
  });

  test("texts that have nothing in common are said as a whole, and no more of them than can be sent", () => {
    const made = (letter: string) => Array.from({ length: 4_000 }, (_, i) => `${letter}${i}`).join(" ");
    const change = wordDiff(made("a"), made("b"));
    expect(change).toMatchObject({ how: "words", is_coarse: true, left_out: 1 });
    expect(JSON.stringify(change).length).toBeLessThan(25_000);
  });

  const anyList = fc.array(fc.constantFrom(..."abcd"), { maxLength: 40 });
  test("both lists can be read back out of it, and no shorter way was there", () =>
    fc.assert(
      fc.property(anyList, anyList, (a, b) => {
        const { stretches } = alignWords(a, b);
        const of = (kinds: string[]) =>
          stretches
            .filter((s) => kinds.includes(s.kind))
            .flatMap((s) => (s.kind === "added" ? b : a).slice(s.from, s.to));
        expect(of(["same", "removed"])).toEqual(a);
        expect(of(["same", "added"])).toEqual(b);
        expect(of(["same"])).toHaveLength(commonLength(a, b));
      }),
    ));
});

/** By the textbook table. */
function commonLength(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const word of a) {
    const next = [0];
    for (const [j, other] of b.entries())
      next.push(word === other ? (row[j] ?? 0) + 1 : Math.max(next[j] ?? 0, row[j + 1] ?? 0));
    row = next;
  }
  return row[b.length] ?? 0;
}

describe("paths", () => {
  test.each([
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, []],
    [{ a: { "b/c": 1 } }, { a: { "b/c": 2 } }, [{ kind: "changed", path: "/a/b~1c", before: 1, after: 2 }]],
    [
      { a: 1 },
      { b: null },
      [
        { kind: "removed", path: "/a", before: 1 },
        { kind: "added", path: "/b", after: null },
      ],
    ],
    [[1, 2, 3], [0, 1, 2, 3], [{ kind: "added", path: "/0", after: 0 }]],
    [[1, 2, 3], [1, 3], [{ kind: "removed", path: "/1", before: 2 }]],
    [{ a: [] }, { a: {} }, [{ kind: "changed", path: "/a", before: [], after: {} }]],
    [JSON.parse('{"toString": 1}'), {}, [{ kind: "removed", path: "/toString", before: 1 }]],
  ])("%j to %j", (before, after, paths) => expect(pathDiff(before, after)).toEqual({ how: "paths", paths }));

  test("many changes are counted, and long values cut", () => {
    const made = (more: string) => Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`k${i}`, more]));
    const change = pathDiff(made("x"), made("y".repeat(3_000)));
    expect(change).toMatchObject({ left_out: 100 });
    expect(change.how === "paths" && change.paths[0]?.after).toMatch(/y… \(1000 letters more\)$/);
  });
});

describe("contents", () => {
  const json = (data: string | { a: number }): CardContent => ({ kind: "json", data });
  test("structures by path, texts by words, and what cannot be compared says why", () => {
    expect(diffContents(json({ a: 1 }), json({ a: 2 })).how).toBe("paths");
    expect(diffContents(json("one two"), json("one three")).how).toBe("words");
    expect(diffContents({ kind: "text", text: "a" }, { kind: "text", text: "b" }).how).toBe("words");
    expect(diffContents({ kind: "text", text: "a" }, null)).toMatchObject({
      how: "none",
      reason: expect.stringContaining("deleted"),
    });
    const long: CardContent = { kind: "text", text: "a".repeat(COMPARED_MAX + 1) };
    expect(diffContents(long, long)).toMatchObject({ how: "none", reason: expect.stringContaining("50,000 letters") });
  });
});
