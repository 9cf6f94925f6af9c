// Hand-overs of any size: the same statements, every candidate accounted for, and the box that the receipt describes.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countRows } from "@/server/testing/kernel";
import { inputOf, openPackYard, type PackYard, packProject, packRecipe } from "@/server/testing/packing";
import { appendToBox } from "../cardbox/append-to-box";
import type { BoxItem } from "../cardbox/box-chunks";
import { createBoxes } from "../cardbox/create-boxes";
import { forkBox } from "../cardbox/fork-box";
import { insertCards } from "../cardbox/insert-cards";
import { readBox } from "../cardbox/read-box";
import { readBoxStretches } from "../cardbox/read-box-cards";
import { renderer } from "../provenance/renderer";
import { withUnit } from "../unit";
import { readExpandedReceipt } from "./expand-receipt";
import { packContext, packContexts } from "./pack-context";
import type { PackItem } from "./pack-item";

let yard: PackYard;
let items: BoxItem[];
const project_id = packProject;
const types = ["task.context", "agent.thought", "tool.result", "meta.delegation_context"];

beforeAll(async () => {
  yard = await openPackYard();
  const cards = await withUnit(yard.kernel, (unit) =>
    insertCards(unit, {
      project_id,
      cards: Array.from({ length: 10_000 }, (_, i) => ({
        card_id: `k${i}`,
        // The first 400 cards have mixed types, in runs; the rest are plain.
        type: i < 400 ? (types[Math.floor(i / 7) % 4] ?? "") : "task.context",
        content: `card number ${i}`,
        author_id: "me",
      })),
    }),
  );
  items = cards.map((card) => ({ ...card, origin: "given" }));
}, 60_000);
afterAll(() => yard.kernel.close());

const box = async (given: BoxItem[], box_id?: string) => {
  const made = await withUnit(yard.kernel, (unit) =>
    createBoxes(unit, { project_id, boxes: [{ box_id, kind: "output", items: given }] }),
  );
  return made[0]?.box_id ?? "";
};

describe("statements", () => {
  const statements = (given: PackItem[]) =>
    withUnit(yard.kernel, async (unit) => {
      const { arguments: _args, handover: _handover, ...common } = inputOf({ source_agent_id: "human_ann" });
      await packContexts(unit, { ...common, items: given });
      return unit.statements();
    });
  const item = (input_box_ids: string[], inherit: object = {}): PackItem => ({
    arguments: { instruction: "x", input_box_ids },
    handover: packRecipe(inherit),
  });
  test("two for 10, 1,000 and 10,000 inherited cards, and for 64 hand-overs at once; one more where cards repeat", async () => {
    const sizes = await Promise.all([10, 1_000, 10_000].map((n) => box(items.slice(-n))));
    const counts: number[] = [];
    for (const id of sizes) counts.push(await statements([item([id])]));
    counts.push(await statements(sizes.flatMap((id) => Array.from({ length: 21 }, () => item([id])))));
    counts.push(await statements(Array.from({ length: 64 }, () => item(sizes))));
    expect(counts).toEqual([2, 2, 2, 2, 3]);
  });
  test("the same if cards are checked one by one", async () => {
    const sizes = await Promise.all([10, 400].map((n) => box(items.slice(0, n))));
    for (const inherit of [{ exclude_types: ["agent.thought"] }, { redact: true }]) {
      const [few, many] = [
        await statements([item([sizes[0] ?? ""], inherit)]),
        await statements([item(sizes, inherit)]),
      ];
      expect(few).toBe(many);
    }
  });
});

describe("compared with a plain list", () => {
  // From runs of mixed types into plain ones, where chunks are copied whole.
  const range = fc.tuple(fc.integer({ min: 250, max: 650 }), fc.nat({ max: 260 }));
  type Rules = { include_types?: string[]; exclude_types?: string[]; redact: boolean };
  const rules: fc.Arbitrary<Rules> = fc.oneof(
    { weight: 3, arbitrary: fc.constant({ redact: false }) },
    { weight: 1, arbitrary: fc.subarray(types).map((exclude_types) => ({ exclude_types, redact: false })) },
    {
      weight: 1,
      arbitrary: fc.subarray(types, { minLength: 1 }).map((include_types) => ({ include_types, redact: true })),
    },
  );
  const order = fc.constantFrom("arguments_first" as const, "inherited_first" as const);
  test("any boxes, overlapping or not, with any rules", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(range, { maxLength: 4 }), rules, order, async (ranges, rule, inOrder) => {
        const lists = ranges.map(([from, n]) => items.slice(from, from + n));
        const ids: string[] = [];
        for (const list of lists) ids.push(await box(list));
        const given = {
          handover: packRecipe(rule, { order: inOrder }),
          arguments: { instruction: "x", input_box_ids: ids },
        };
        const packed = await yard.packAny(given);
        const passes = (i: BoxItem) =>
          i.type !== "meta.delegation_context" &&
          !rule.exclude_types?.includes(i.type) &&
          (rule.include_types?.includes(i.type) ?? true);
        const inherited = [
          ...new Set(
            lists
              .flat()
              .filter(passes)
              .map((i) => i.card_id),
          ),
        ];
        const at = inOrder === "inherited_first" ? 0 : 1;
        expect(packed.card_ids.slice(at, at + inherited.length)).toEqual(inherited);
        expect(packed.card_ids).toHaveLength(inherited.length + 2);
        const { lines, included_cards, included_tokens, left_out_cards } = packed.receipt;
        expect(lines.reduce((n, l) => n + l.cards, 0)).toBe(lists.flat().length + 2);
        expect([included_cards, left_out_cards]).toEqual([
          inherited.length + 2,
          lists.flat().length - inherited.length,
        ]);
        for (const l of lines) if (l.from !== undefined && l.to !== undefined) expect(l.to - l.from + 1).toBe(l.cards);
        const written = await readBox(yard.kernel, { project_id, box_id: packed.context_box_id ?? "" });
        expect(written).toMatchObject({ card_ids: packed.card_ids, length: packed.length, token_sum: included_tokens });
        const [read] = await readBoxStretches(yard.kernel, {
          project_id,
          stretches: [{ box_id: written.box_id, from: 0, limit: 10_000 }],
        });
        expect(read?.cards.map((c) => [c.card_id, c.position])).toEqual(packed.card_ids.map((id, i) => [id, i]));
        const last = read?.cards.at(-1);
        expect((last?.before_tokens ?? 0) + (last?.token_count ?? 0)).toBe(included_tokens);
        const expanded = await readExpandedReceipt(yard.kernel, { project_id, box_id: written.box_id });
        const travelled = expanded.lines.filter((l) => l.verdict === "included" || l.verdict === "redacted");
        expect(travelled.map((l) => l.card_id)).toEqual(packed.card_ids);
        expect(travelled.reduce((n, l) => n + l.tokens, 0)).toBe(included_tokens);
        const before = await countRows(yard.kernel);
        const dry = await yard.packAny({ ...given, dry_run: true, renderer });
        expect(await countRows(yard.kernel)).toEqual(before);
        const bare = (ls: typeof lines) =>
          ls.map((l) => ({ ...l, card_id: l.origin.startsWith("box:") ? l.card_id : "new" }));
        expect({ ...dry.receipt, lines: bare(dry.receipt.lines) }).toEqual({ ...packed.receipt, lines: bare(lines) });
        expect(dry.preview?.map((p) => p.is_new)).toEqual(packed.card_ids.map((id) => !id.startsWith("k")));
        expect(dry.context_box_id).toBeUndefined();
      }),
      { numRuns: 20 },
    );
  }, 120_000);
});

describe("a box whose ids are not read", () => {
  const put = async (from: number, to: number, more: BoxItem[] = []) => {
    const box_id = await box(items.slice(from, to));
    if (more.length > 0) await withUnit(yard.kernel, (unit) => appendToBox(unit, { project_id, box_id, items: more }));
    return box_id;
  };
  const forked = async (from: number, to: number, more: BoxItem[]) => {
    const box_id = await put(from, to, more);
    return (await withUnit(yard.kernel, (unit) => forkBox(unit, { project_id, box_id }))).box_id;
  };
  test.each([
    ["made at once", () => put(1000, 1300), 0],
    ["made at once with repeats", () => box([...items.slice(1000, 1200), ...items.slice(1100, 1300)]), 100],
    ["appended to", () => put(1000, 1100, items.slice(1100, 1300)), 0],
    ["appended to with repeats", () => put(1000, 1200, items.slice(1150, 1300)), 50],
    ["forked off one with repeats", () => forked(1000, 1200, items.slice(1190, 1300)), 10],
    ["with what never travels at its head", () => put(380, 600), 7],
    ["with what never travels in its last chunk", () => put(1000, 1100, items.slice(21, 28)), 7],
    ["of one chunk", () => put(1000, 1064), 0],
    ["of one card more", () => put(1000, 1065), 0],
    ["empty", () => put(0, 0), 0],
  ])("%s", async (_what, made, leftOut) => {
    const { arguments: _args, handover, ...common } = inputOf({ source_agent_id: "human_ann" });
    const given = { arguments: { instruction: "x", input_box_ids: await made() }, handover };
    const read = await yard.packAny(given);
    const [unread] = await withUnit(yard.kernel, (unit) => packContexts(unit, { ...common, items: [given] }));
    const boxOf = (id = "") => readBox(yard.kernel, { project_id, box_id: id });
    const [one, other] = [await boxOf(read.context_box_id), await boxOf(unread?.context_box_id)];
    expect(unread?.card_ids).toBeUndefined();
    expect(other.card_ids.slice(0, -2)).toEqual(one.card_ids.slice(0, -2));
    expect(read.card_ids).toEqual(one.card_ids);
    const bare = ({ receipt }: typeof read | NonNullable<typeof unread>) => ({
      ...receipt,
      lines: receipt.lines.slice(0, -2),
    });
    expect(unread && bare(unread)).toEqual(bare(read));
    expect(read.receipt.left_out_cards).toBe(leftOut);
    const size = ({ length, token_sum, consist }: typeof one) => ({ length, token_sum, consist });
    expect(size(other)).toEqual(size(one));
    expect(unread).toMatchObject(size(other));
  });
});

test("a box that grows while it is inherited hands over what it contained at the check", async () => {
  const box_id = await box(items.slice(500, 570));
  const grow = () =>
    withUnit(yard.kernel, (unit) => appendToBox(unit, { project_id, box_id, items: items.slice(600, 700) }));
  const packed = await withUnit(yard.kernel, async (unit) => {
    // Between the last read and the first write.
    let grown: Promise<void> | undefined;
    const send: typeof unit.send = (name, sql, values) => {
      grown = grow().then(() => unit.send(name, sql, values));
    };
    const input = inputOf({ source_agent_id: "human_ann", arguments: { instruction: "x", input_box_ids: box_id } });
    const packed = await packContext({ ...unit, send }, input);
    await grown;
    return packed;
  });
  const written = await readBox(yard.kernel, { project_id, box_id: packed.context_box_id ?? "" });
  expect(written.card_ids.slice(0, -2)).toEqual(items.slice(500, 570).map((i) => i.card_id));
  expect((await readBox(yard.kernel, { project_id, box_id })).length).toBe(170);
});

test("of several hand-overs the first refused one is reported, and none is written", async () => {
  const before = await countRows(yard.kernel);
  const good = { arguments: { instruction: "x" }, handover: packRecipe() };
  const { arguments: _args, handover: _handover, ...common } = inputOf({});
  const work = withUnit(yard.kernel, (unit) =>
    packContexts(unit, {
      ...common,
      items: [good, { arguments: { instruction: null }, handover: packRecipe() }, { ...good, handover: null }],
    }),
  );
  await expect(work).rejects.toMatchObject({
    code: "bad_request",
    message: expect.stringContaining("arguments.instruction"),
    detail: { item: 1 },
  });
  expect(await countRows(yard.kernel)).toEqual(before);
});

test("each hand-over uses only its own kernel boxes", async () => {
  const mine = await box(items.slice(900, 902));
  const { arguments: _args, handover: _handover, ...common } = inputOf({});
  const item = { arguments: { instruction: "x", input_box_ids: mine }, handover: packRecipe() };
  const work = withUnit(yard.kernel, (unit) =>
    packContexts(unit, { ...common, items: [{ ...item, kernel_box_ids: [mine] }, item] }),
  );
  await expect(work).rejects.toMatchObject({ message: `unauthorized box_id: ${mine}`, detail: { item: 1 } });
});
