import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { digestOf } from "./digest";

const fields = (...pairs: [string, unknown][]) => ({
  kind: "json" as const,
  data: { fields: pairs.map(([name, value]) => ({ name, value })) } as never,
});
const text = (said: string) => ({ kind: "text" as const, text: said });

describe("79 the first five fields", () => {
  test("are taken before blanks are dropped, so that the sixth never appears", () => {
    const given = fields(["a", "1"], ["b", ""], ["c", "3"], ["d", "4"], ["e", "5"], ["f", "6"]);
    expect(digestOf(given)).toBe("a: 1 | c: 3 | d: 4 | e: 5");
  });
  test("a value without characters is blank; numbers and objects are written as JSON", () => {
    expect(digestOf(fields(["a", "  "], ["b", null], ["c", 0], ["d", { k: [1] }], ["e", false]))).toBe(
      'c: 0 | d: {"k":[1]} | e: false',
    );
  });
  test("names are trimmed, as values are", () => {
    expect(digestOf(fields(["  a ", " 1 "]))).toBe("a: 1");
    expect(digestOf(fields(["a", ""], ["b", ""], ["c", ""], ["d", ""], ["e", ""], [" Summary ", "well"]))).toBe("well");
  });
  test("what is not a field is skipped", () => {
    const data = { fields: [7, null, { value: "x" }, { name: "a", value: " 1 " }] };
    expect(digestOf({ kind: "json", data: data as never })).toBe("a: 1");
  });
});

describe("81 if those are empty", () => {
  const blanks: [string, unknown][] = ["a", "b", "c", "d", "e"].map((name) => [name, ""]);
  test("a field named Summary is used, trimmed, wherever it is", () => {
    expect(digestOf(fields(...blanks, ["Summary", "  all is well "]))).toBe("all is well");
  });
  test("the digest has priority over it", () => {
    expect(digestOf(fields(["a", "1"], ...blanks.slice(1), ["Summary", "no"]))).toBe("a: 1");
  });
  test.each([
    ["neither", fields(...blanks)],
    ["no fields", fields()],
    ["null", { kind: "json" as const, data: null }],
    ["no deliverable", null],
    ["an empty text", text("  \n ")],
  ])("%s: there is no digest", (_what, content) => {
    expect(digestOf(content)).toBeUndefined();
  });
});

describe("a text", () => {
  test("is also the digest of JSON without fields", () => {
    expect(digestOf({ kind: "json", data: { answer: 42 } })).toBe('{"answer":42}');
    expect(digestOf({ kind: "json", data: [1, "two"] })).toBe('[1,"two"]');
  });
  test("is itself, also as JSON", () => {
    expect(digestOf(text("  did it \n"))).toBe("did it");
    expect(digestOf({ kind: "json", data: " did it " })).toBe("did it");
  });
  test("is cut at 2,000 code points, never inside one", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1_990, maxLength: 2_100 }), (said) => {
        const digest = digestOf(text(said)) ?? "";
        expect([...digest].length).toBeLessThanOrEqual(2_000);
        expect(Buffer.from(digest).toString()).toBe(digest);
        if ([...said.trim()].length <= 2_000) expect(digest).toBe(said.trim());
        else expect(digest.endsWith("…")).toBe(true);
      }),
      { numRuns: 25 },
    );
  });
});
