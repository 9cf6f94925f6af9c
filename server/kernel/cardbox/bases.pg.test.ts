// A box that begins with another one reads as if its cards had been copied, whoever asks: each reader is asked of the same box before and
// after it is laid out.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPackYard, type PackYard, packRecipe, packProject as project_id, textCard } from "@/server/testing/packing";
import { readExpandedReceipt } from "../context/expand-receipt";
import { readGrants } from "../context/read-grants";
import { renderer } from "../provenance/renderer";
import { readBoxAsSent } from "../read-models/read-box-as-sent";
import { readBoxLineage } from "../read-models/read-box-lineage";
import { readBoxReader } from "../read-models/read-box-reader";
import { readBoxSheet } from "../read-models/read-box-sheet";
import { withUnit } from "../unit";
import { appendToBox } from "./append-to-box";
import { BASES_MAX } from "./bases";
import { batchBoxes } from "./batch-boxes";
import { createBoxes } from "./create-boxes";
import { findInBox } from "./find-in-box";
import { findPlaces } from "./find-places";
import { forkBox } from "./fork-box";
import { heldIn } from "./held-in";
import { insertCards } from "./insert-cards";
import { readBox } from "./read-box";
import { readBoxCards, readBoxStretches } from "./read-box-cards";
import { readBoxLines } from "./read-box-lines";
import { readBoxWeights } from "./read-box-weights";
import { readFirstCards } from "./read-first-cards";
import { readSightings } from "./read-sightings";

let yard: PackYard;
beforeAll(async () => {
  yard = await openPackYard();
});
afterAll(() => yard.kernel.close());

const rowsOf = async (text: string, values: unknown[]) => (await yard.kernel.db.pool.query(text, values)).rows;
const baseOf = async (box_id: string): Promise<[string | null, number | null, number]> => {
  const [row] = await rowsOf(
    `SELECT base_box, base_len, (SELECT count(*)::int FROM box_chunks k WHERE k.tenant_id = $1 AND k.box_id = $2) AS chunks
     FROM card_boxes WHERE tenant_id = $1 AND box_id = $2`,
    [project_id, box_id],
  );
  return [row.base_box, row.base_len, row.chunks];
};

let made = 0;
/** An output box of `n` new cards. */
async function fill(n: number, type = "task.context"): Promise<string> {
  const of = `f${made++}_`;
  return withUnit(yard.kernel, async (unit) => {
    const cards = Array.from({ length: n }, (_, i) => ({ ...textCard(`${of}${i}`, `text ${i % 5} of ${of}`), type }));
    const items = (await insertCards(unit, { project_id, cards })).map((card) => ({ ...card, origin: "given" }));
    const [box] = await createBoxes(unit, { project_id, boxes: [{ kind: "output", items }] });
    return box?.box_id ?? "";
  });
}
const grow = (box_id: string, ids: string[]) =>
  withUnit(yard.kernel, async (unit) => {
    const cards = await insertCards(unit, { project_id, cards: ids.map((id) => textCard(id)) });
    await appendToBox(unit, { project_id, box_id, items: cards.map((card) => ({ ...card, origin: "given" })) });
  });
const packOf = async (input_box_ids: string | string[], inherit: object = {}, packing: object = {}): Promise<string> =>
  (
    await yard.packAny({
      handover: packRecipe(inherit, packing),
      arguments: { instruction: `about ${made++}`, input_box_ids },
    })
  ).context_box_id ?? "";

/** As it was before boxes had bases. */
const layOut = (box_id: string) =>
  rowsOf(
    `WITH laid AS (
       INSERT INTO box_chunks (tenant_id, box_id, n, start, card_ids, origins, tokens, has_untravelled)
       SELECT k.tenant_id, k.box_id, k.n, k.start, k.card_ids, k.origins, k.tokens, k.has_untravelled FROM card_box_chunks k
       JOIN card_boxes b ON b.tenant_id = k.tenant_id AND b.box_id = k.box_id WHERE k.tenant_id = $1 AND k.box_id = $2 AND k.start < b.base_len
     ) UPDATE card_boxes SET base_box = NULL, base_len = NULL WHERE tenant_id = $1 AND box_id = $2`,
    [project_id, box_id],
  );

/** What everybody who reads boxes says of it, of its cards, and of `others`. */
async function told(box_id: string, others: string[] = []) {
  const { kernel } = yard;
  const { card_ids } = await readBox(kernel, { project_id, box_id });
  const n = card_ids.length;
  const places = [0, 1, 9, 63, 64, 65, n - 3, n - 2, n - 1].filter((at) => at >= 0 && at < n);
  const ids = [...new Set(places.map((at) => card_ids[at] ?? ""))];
  const one = { project_id, box_id };
  const of = { project_id, box_ids: [box_id, ...others] };
  const sightings = [];
  for (const card_id of ids)
    sightings.push(await readSightings(kernel, { project_id, card_id, include: ["same_words", "copies"] }));
  const found = await findPlaces(kernel, { project_id, card_ids: ids });
  const again = async (given: object) => {
    const {
      context_box_id: _box,
      receipt,
      ...dry
    } = await yard.packAny({
      dry_run: true,
      renderer,
      arguments: { instruction: "x", input_box_ids: box_id },
      ...given,
    });
    const known = receipt.lines.map((line) => ({ ...line, card_id: line.box_id ? line.card_id : "new" }));
    return { lines: known, hash: receipt.hash, length: dry.length, token_sum: dry.token_sum, consist: dry.consist };
  };
  const forks = [];
  for (const upto of [1, 64, 70, n - 1, n].filter((at) => at <= n)) {
    const fork = await withUnit(kernel, (unit) => forkBox(unit, { project_id, box_id, upto }));
    forks.push({
      ...fork,
      box_id: "",
      card_ids: (await readBox(kernel, { project_id, box_id: fork.box_id })).card_ids,
    });
    await rowsOf("DELETE FROM box_chunks WHERE tenant_id = $1 AND box_id = $2", [project_id, fork.box_id]);
    await rowsOf("DELETE FROM card_boxes WHERE tenant_id = $1 AND box_id = $2", [project_id, fork.box_id]);
  }
  return {
    box: await readBox(kernel, one),
    ends: [await readBoxCards(kernel, one), await readBoxCards(kernel, { ...one, before: 66, limit: 5 })],
    middle: await readBoxCards(kernel, { ...one, from: 60, limit: 10 }),
    stretches: await readBoxStretches(kernel, {
      project_id,
      stretches: of.box_ids.map((id) => ({ box_id: id, from: 0, limit: 500 })),
    }),
    lines: await readBoxLines(kernel, { ...one, positions: places }),
    weights: [await readBoxWeights(kernel, { ...one, from: 0 }), await readBoxWeights(kernel, { ...one, from: 63 })],
    first: await readFirstCards(kernel, { ...one, cards_max: 66, bytes_max: 100_000 }),
    places: await Promise.all(ids.map((card_id) => findInBox(kernel, { ...one, card_id }))),
    batch: await batchBoxes(kernel, { ...of, hydrate: true }),
    sightings,
    found: { ...found, places: found.places.map((place) => Object.values(place).join(" ")).sort() },
    held: await rowsOf(`SELECT h.box_id, h.n FROM ${heldIn("$2::text[]")} h ORDER BY 1, 2`, [project_id, ids]),
    lineage: await Promise.all(of.box_ids.map((id) => readBoxLineage(kernel, { project_id, box_id: id }))),
    sheet: { ...(await readBoxSheet(kernel, one)), cursor: null },
    reader: await readBoxReader(kernel, one),
    sent: await readBoxAsSent(kernel, one),
    receipt: await readExpandedReceipt(kernel, one),
    grants: await readGrants(kernel, { project_id, source_agent_id: "agent_parent", box_ids: [box_id], card_ids: ids }),
    chunks: await rowsOf(
      "SELECT n, start, card_ids, origins, tokens, has_untravelled FROM card_box_chunks WHERE tenant_id = $1 AND box_id = $2 ORDER BY n",
      [project_id, box_id],
    ),
    audit: await rowsOf("SELECT length, token_sum, consist, rev FROM card_boxes WHERE tenant_id = $1 AND box_id = $2", [
      project_id,
      box_id,
    ]),
    again: [
      await again({}),
      await again({ handover: packRecipe({}, { order: "arguments_first" }) }),
      await again({ handover: packRecipe({ exclude_types: ["agent.thought"] }) }),
    ],
    forks,
  };
}

/** Only that it does not name its base any more. */
async function sameLaidOut(box_id: string, others: string[] = []) {
  const before = await told(box_id, others);
  await layOut(box_id);
  expect((await baseOf(box_id)).slice(0, 2)).toEqual([null, null]);
  expect(await told(box_id, others)).toEqual(before);
}

describe("every reader says the same of a box that names its base and of one that was laid out", () => {
  test.each([1, 10, 64, 65, 128, 200])("of %i cards", async (n) => {
    const source = await fill(n);
    const context = await packOf(source);
    expect(await baseOf(context)).toEqual([source, n, 0]);
    await sameLaidOut(context, [source]);
  });

  test("of a base that has grown since, within its last chunk and beyond", async () => {
    for (const [n, more] of [
      [10, 5],
      [60, 10],
      [100, 90],
    ] as const) {
      const source = await fill(n);
      const context = await packOf(source);
      const later = Array.from({ length: more }, (_, i) => `later${n}_${i}`);
      await grow(source, later);
      expect(await baseOf(context)).toEqual([source, n, 0]);
      const { card_ids } = await readBox(yard.kernel, { project_id, box_id: context });
      expect(card_ids).toHaveLength(n + 2);
      // A card of the base beyond what was handed over is not in the box.
      for (const card_id of [later[0] ?? "", later.at(-1) ?? ""]) {
        const { boxes } = await readSightings(yard.kernel, { project_id, card_id });
        expect(boxes.map((box) => box.box_id)).toEqual([source]);
      }
      await sameLaidOut(context, [source]);
    }
  });

  test("of bases one under the other, cut at any place, from the top and from below", async () => {
    for (const isTopFirst of [true, false]) {
      const source = await fill(70);
      const chain = [source];
      for (let i = 0; i < BASES_MAX; i++) chain.push(await packOf(chain.at(-1) ?? ""));
      await grow(source, [`deep${made}_a`, `deep${made}_b`]);
      const [, ...named] = chain;
      expect(await Promise.all(named.map(baseOf))).toEqual(named.map((_, i) => [chain[i], 70 + 2 * i, 0]));
      for (const box_id of isTopFirst ? named.toReversed() : named)
        await sameLaidOut(
          box_id,
          chain.filter((id) => id !== box_id),
        );
    }
  });
});

describe("what is named, and what is copied", () => {
  test("beyond four bases the box is laid as pieces, with the same cards", async () => {
    const source = await fill(150);
    let last = source;
    for (let i = 0; i < BASES_MAX; i++) last = await packOf(last);
    expect((await baseOf(last))[0]).not.toBeNull();
    const { card_ids } = await readBox(yard.kernel, { project_id, box_id: last });
    const fifth = await packOf(last);
    const [base, len, chunks] = await baseOf(fifth);
    expect([base, len]).toEqual([null, null]);
    expect(chunks).toBeGreaterThan(0);
    expect((await readBox(yard.kernel, { project_id, box_id: fifth })).card_ids.slice(0, -2)).toEqual(card_ids);
    expect((await baseOf(await packOf(fifth)))[0]).toBe(fifth);
  });
  test("cards that never travel, repeats, rules, several boxes, arguments first: copied as before", async () => {
    const clean = await fill(80);
    const facts = await fill(3, "meta.delegation_context");
    expect((await baseOf(await packOf(facts)))[0]).toBeNull();
    const twice = await fill(5);
    await grow(twice, []);
    const { card_ids } = await readBox(yard.kernel, { project_id, box_id: twice });
    await withUnit(yard.kernel, async (unit) => {
      const item = {
        card_id: card_ids[0] ?? "",
        role: "user" as const,
        token_count: 1,
        type: "task.context",
        origin: "given",
      };
      await appendToBox(unit, { project_id, box_id: twice, items: [item] });
    });
    const merged = await packOf(twice);
    expect((await baseOf(merged))[0]).toBeNull();
    expect((await readBox(yard.kernel, { project_id, box_id: merged })).length).toBe(5 + 2);
    for (const context of [
      await packOf(clean, { exclude_types: ["agent.thought"] }),
      await packOf(clean, { redact: true }),
      await packOf([clean, await fill(2)]),
      await packOf(clean, {}, { order: "arguments_first" }),
    ])
      expect((await baseOf(context))[0]).toBeNull();
    expect((await baseOf(await packOf(clean)))[0]).toBe(clean);
  });
  test("a dry run has the same receipt, and the hash of a copy", async () => {
    const source = await fill(130);
    const given = { arguments: { instruction: "x", input_box_ids: source } };
    const dry = await yard.packAny({ ...given, dry_run: true });
    const named = await yard.packAny(given);
    const copied = await yard.packAny({ ...given, handover: packRecipe({ exclude_types: ["agent.thought"] }) });
    expect([named.receipt.hash, copied.receipt.hash]).toEqual([dry.receipt.hash, dry.receipt.hash]);
    expect(named.card_ids.slice(0, 130)).toEqual(copied.card_ids.slice(0, 130));
    expect([named.length, named.token_sum, named.consist]).toEqual([copied.length, copied.token_sum, copied.consist]);
  });
});
