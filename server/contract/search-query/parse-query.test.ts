import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { faultText } from "./fault";
import { type FieldName, fieldNames, fields, flags } from "./fields";
import { parseQuery } from "./parse-query";
import { printQuery } from "./print-query";
import { joined, type QueryLeaf, type QueryNode, type QueryTree, type QueryValue } from "./query-tree";

const now = new Date("2026-11-25T12:00:00Z");
const read = (text: string): QueryTree => {
  const parsed = parseQuery(text, { now });
  if (!parsed.isRead) throw new Error(faultText(parsed.fault));
  return parsed.tree;
};
const fault = (text: string): string => {
  const parsed = parseQuery(text, { now });
  if (parsed.isRead) throw new Error(`was read as ${printQuery(parsed.tree)}`);
  return faultText(parsed.fault);
};
/** Without the columns. */
const bare = (tree: QueryTree): unknown =>
  JSON.parse(JSON.stringify(tree, (key, value) => (key === "at" ? undefined : value)));

describe("a search query", () => {
  it("is terms that all hold, OR between them, groups, and - for not", () => {
    expect(bare(read('iron air* OR -(zinc OR "flow battery")'))).toEqual({
      kind: "or",
      parts: [
        {
          kind: "and",
          parts: [
            { kind: "word", text: "iron", is_prefix: false },
            { kind: "word", text: "air", is_prefix: true },
          ],
        },
        {
          kind: "not",
          part: {
            kind: "or",
            parts: [
              { kind: "word", text: "zinc", is_prefix: false },
              { kind: "phrase", text: "flow battery" },
            ],
          },
        },
      ],
    });
    expect(read("  ")).toBeNull();
    expect(printQuery(read('(a b) c "say \\"hi\\""'))).toBe('a b c "say \\"hi\\""');
  });

  it("reads numbers, durations, times, ranges, lists, has and is", () => {
    const n = (text: string) => {
      const tree = read(text);
      if (tree?.kind !== "filter") throw new Error("no filter");
      return [tree.op, ...tree.values.map((value) => value.n)];
    };
    expect(n("tokens:1k")).toEqual(["=", 1_000]);
    expect(n("tokens:>=2M")).toEqual([">=", 2_000_000]);
    expect(n("tokens:!=1,2")).toEqual(["!=", 1, 2]);
    expect(n("duration:<500ms")).toEqual(["<", 500]);
    expect(n("duration:>2m")).toEqual([">", 120_000]);
    expect(n("before:2h")).toEqual(["=", now.getTime() - 7_200_000]);
    expect(n("after:yesterday")).toEqual(["=", Date.parse("2026-11-24T00:00:00Z")]);
    expect(n("after:2026-11-20T10:00:00+02:00")).toEqual(["=", Date.parse("2026-11-20T08:00:00Z")]);
    expect(n("after:2026-11-20T10:00")).toEqual(["=", Date.parse("2026-11-20T10:00:00Z")]);
    expect(bare(read("tokens:[1 TO 2k]"))).toMatchObject({ kind: "range", lo: { n: 1 }, hi: { n: 2_000 } });
    expect(bare(read('author:Ann*,"B C"*,"d*"'))).toMatchObject({
      values: [
        { text: "Ann", is_prefix: true },
        { text: "B C", is_prefix: true },
        { text: "d*", is_prefix: false },
      ],
    });
    expect(bare(read("has:error is:failed"))).toMatchObject({
      parts: [
        { kind: "has", field: "error" },
        { kind: "is", flag: "failed" },
      ],
    });
  });

  it.each([
    ["status:failed autor:x", 'column 15: unknown field "autor"; did you mean "author"?'],
    ["http://a.b", 'column 1: unknown field "http"; put the words in quotation marks'],
    ["status:faild", 'column 8: unknown status "faild"; did you mean "failed"?'],
    ["is:fialed", 'column 4: unknown state "fialed"; did you mean "failed"?'],
    ["has:depth", 'column 5: "has:depth" is always so'],
    ["tokens:many", 'column 8: "many" is not a number; write tokens:10'],
    ["duration:>500", 'column 11: "500" is not a duration'],
    ["before:2026-02-30", 'column 8: "2026-02-30" is not a time'],
    ["author:>x", 'column 8: ">" cannot follow "author:"; use = or !='],
    ["before:<2h", 'column 8: "<" cannot follow "before:"; leave it out'],
    ["tokens:>1,2", 'column 10: ">" takes one value'],
    ["tokens:[5 TO 1]", "column 8: the range ends before it begins"],
    ["tokens:[5 1]", "column 11: a range is written tokens:[1 TO 2]"],
    ["author:[a TO b]", 'column 8: "author" has no ranges'],
    ["author:", 'column 8: "author:" needs a value'],
    ["author:a,,b", 'column 10: "author:" needs a value'],
    ["saw:a/b", 'column 5: "a/b" is not an id'],
    ["(a", "column 1: this bracket is never closed"],
    ["a)", "column 2: no bracket is open here"],
    ["()", "column 2: a term is missing here"],
    ["a OR", "column 5: a term is missing here"],
    ["OR a", "column 1: OR needs a term before it"],
    ['a "b', "column 3: this quotation mark is never closed"],
    ["a - b", 'column 3: nothing follows the "-"'],
    ["--a", 'column 2: one "-" is enough'],
    ["a AND b", "column 3: AND is not needed"],
    ["%", 'column 1: "%" has no letter or digit'],
    ["*", 'column 1: "" has no letter or digit'],
    ["a\0b", "column 2: a character that no text can contain"],
    ["a ".repeat(65), "column 129: more than 64 words"],
    ["a".repeat(1_001), "column 1001: a query has at most 1,000 characters"],
    ["a".repeat(300), "column 1: a word or phrase has at most 256 characters"],
    [`${"(".repeat(17)}a`, "column 17: more than 16 brackets"],
  ])("says where it cannot be read: %s", (text, message) => {
    expect(fault(text)).toContain(message);
  });

  it("is read up to its bounds", () => {
    expect(read("a ".repeat(64))).toMatchObject({ kind: "and" });
    expect(read(`${"(".repeat(16)}a${")".repeat(16)}`)).toMatchObject({ kind: "word" });
  });

  it("never throws, whatever is typed", () => {
    const signs = fc.constantFrom(..."ab0 -\"()[]:,*\\<>=!%_'\n", "OR", "tokens:", "is:", "before:", " TO ", "\0");
    void fc.assert(
      fc.property(fc.array(signs, { maxLength: 60 }), (parts) => {
        const text = parts.join("");
        const parsed = parseQuery(text, { now });
        if (parsed.isRead) expect(bare(read(printQuery(parsed.tree)))).toEqual(bare(parsed.tree));
        else {
          expect(parsed.fault.column).toBeGreaterThanOrEqual(1);
          expect(parsed.fault.column).toBeLessThanOrEqual(text.length + 1);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("is the same tree when it was printed and read again", () => {
    void fc.assert(
      fc.property(tree, (one) => {
        const text = printQuery(one);
        fc.pre(text.length <= 1_000 && !/more than/.test(messageOf(text)));
        expect(bare(read(text))).toEqual(bare(one));
      }),
      { numRuns: 1_000 },
    );
  });
});

const messageOf = (text: string): string => {
  const parsed = parseQuery(text, { now });
  return parsed.isRead ? "" : parsed.fault.message;
};

const anyText = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).filter((text) => !text.includes("\0"));
const word = fc
  .stringMatching(/^[a-zäß0-9][a-zäß0-9.'%_-]{0,8}$/u)
  .chain((text) => fc.boolean().map((is_prefix): QueryNode => ({ kind: "word", at: 0, text, is_prefix })));
const phrase = anyText
  .filter((text) => /[\p{L}\p{N}]/u.test(text) && text.trim() === text)
  .map((text): QueryNode => ({ kind: "phrase", at: 0, text }));
const amount = fc.integer({ min: 0, max: 9_999 });

/** Of a field, with the number that it means. */
const valueFor = (field: FieldName): fc.Arbitrary<QueryValue> => {
  const spec = fields[field];
  const of = (text: string, n: number | null, is_prefix = false): QueryValue => ({ text, is_prefix, n });
  if (spec.as === "number") return amount.chain((n) => fc.constantFrom(of(`${n}`, n), of(`${n}k`, n * 1_000)));
  if (spec.as === "duration") return amount.chain((n) => fc.constantFrom(of(`${n}ms`, n), of(`${n}s`, n * 1_000)));
  if (spec.as === "time") return amount.map((n) => of(`${n}m`, now.getTime() - n * 60_000));
  if (spec.as === "one_of") return fc.constantFrom(...spec.names).map((name) => of(name, null));
  if (spec.as === "id") return fc.stringMatching(/^[A-Za-z0-9_-]{1,10}$/).map((text) => of(text, null));
  return anyText.chain((text) => fc.boolean().map((is_prefix) => of(text, null, is_prefix)));
};
const filter = fc.constantFrom(...fieldNames).chain((field): fc.Arbitrary<QueryNode> => {
  const { as } = fields[field];
  const isNumber = as === "number" || as === "duration";
  const one = valueFor(field);
  if (as === "time") return one.map((value) => ({ kind: "filter", at: 0, field, op: "=", values: [value] }));
  const list = fc
    .tuple(fc.constantFrom("=" as const, "!=" as const), fc.array(one, { minLength: 1, maxLength: 3 }))
    .map(([op, values]): QueryNode => ({ kind: "filter", at: 0, field, op, values }));
  if (!isNumber) return list;
  const compared = fc
    .tuple(fc.constantFrom(">" as const, ">=" as const, "<" as const, "<=" as const), one)
    .map(([op, value]): QueryNode => ({ kind: "filter", at: 0, field, op, values: [value] }));
  const range = fc
    .tuple(one, one)
    .filter(([lo, hi]) => (lo.n ?? 0) <= (hi.n ?? 0))
    .map(([lo, hi]): QueryNode => ({ kind: "range", at: 0, field, lo, hi }));
  return fc.oneof(list, compared, range);
});
const optional = fieldNames.filter((name) => fields[name].isOptional);
const leaf: fc.Arbitrary<QueryNode> = fc.oneof(
  word,
  phrase,
  filter,
  fc.constantFrom(...optional).map((field): QueryLeaf => ({ kind: "has", at: 0, field })),
  fc.constantFrom(...flags).map((flag): QueryLeaf => ({ kind: "is", at: 0, flag })),
);
const { tree } = fc.letrec<{ tree: QueryNode }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    leaf,
    tie("tree").map((part): QueryNode => ({ kind: "not", part })),
    fc
      .tuple(fc.constantFrom("and" as const, "or" as const), fc.array(tie("tree"), { minLength: 2, maxLength: 4 }))
      .map(([kind, parts]) => joined(kind, parts)),
  ),
}));
