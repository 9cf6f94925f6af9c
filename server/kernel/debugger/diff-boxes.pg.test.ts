// Any two boxes and any two requests compared, from what is stored.
import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BoxDiff } from "@/server/contract/box-diff/box-diff";
import { importRun } from "@/server/interop/importers/import-run";
import { tunables } from "@/server/kernel/tunables";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { sharedFiles } from "@/server/testing/shared-data";
import { countStatements } from "@/server/testing/statements";
import { launchTurn, scripted, startTestWorker, untilTurn } from "@/server/testing/turns";
import type { Worker } from "@/server/worker/loop";
import { createBoxes } from "../cardbox/create-boxes";
import { insertCards } from "../cardbox/insert-cards";
import { withUnit } from "../unit";
import { diffBoxes } from "./diff-boxes";
import { diffSteps } from "./diff-steps";

const P = "compared";
let kernel: TestKernel;
let worker: Worker;

beforeAll(async () => {
  kernel = await openTestKernel({ tunables: { ...tunables, pollMs: 100 } });
  await seedProject(kernel, P, [
    scripted("Thinker", [{ call: "think", arguments: { thought: "I plan." } }, { deliver: "done" }], {
      allowed_internal_tools: ["think"],
    }),
  ]);
  await seedProject(kernel, "neighbour");
  worker = await startTestWorker(kernel);
});
afterAll(async () => {
  await worker.stop();
  await kernel.close();
});

type Given = { card_id: string; type?: string; content: unknown; metadata?: Record<string, string> };

async function put(cards: Given[]): Promise<void> {
  await withUnit(kernel, async (unit) => {
    const given = cards.map(({ content, type = "agent.note", ...card }) => ({
      ...card,
      ...{ type, author_id: "ann" },
      content:
        typeof content === "string" ? content : { kind: "json" as const, data: JSON.parse(JSON.stringify(content)) },
    }));
    await insertCards(unit, { project_id: P, cards: given });
  });
}
async function box(card_ids: string[]): Promise<string> {
  return withUnit(kernel, async (unit) => {
    const items = card_ids.map((card_id) => ({
      ...{ card_id, type: "agent.note", role: "assistant" as const, token_count: 1, origin: "given" },
    }));
    const [made] = await createBoxes(unit, { project_id: P, boxes: [{ kind: "plain", items }] });
    if (!made) throw new Error("a box was asked for");
    return made.box_id;
  });
}
const diff = (a: string, b: string, more = {}) =>
  diffBoxes(kernel, { project_id: P, a, b, from: 0, limit: 1_000, ...more });
const told = ({ rows }: BoxDiff) =>
  rows.map(({ verdict, a, b }) => [verdict, a?.card_id, b?.card_id].filter(Boolean).join(" "));

const story = "the train leaves the station at noon and arrives in the evening after two stops on the way";

describe("two boxes", () => {
  test("a verdict for every card, with what changed inside rewritten ones", async () => {
    await put([
      { card_id: "k1", content: "first" },
      { card_id: "k2", content: "second" },
      { card_id: "k3", content: story },
      { card_id: "k4", content: { city: "Bonn", stops: [1, 2] } },
      { card_id: "k5", content: "gone" },
      { card_id: "n3", content: story.replace("noon", "one") },
      { card_id: "n4", content: { city: "Köln", stops: [1, 2] }, metadata: { replaces: "k4" } },
      { card_id: "n5", content: "fresh words that nobody has said before in here" },
    ]);
    const found = await diff(await box(["k1", "k2", "k3", "k4", "k5"]), await box(["k2", "n3", "n4", "k1", "n5"]));
    expect(told(found)).toEqual([
      "moved k2 k2",
      "rewritten k3 n3",
      "rewritten k4 n4",
      "same k1 k1",
      "added n5",
      "removed k5",
    ]);
    const [, alike, copy] = found.rows;
    expect(alike).toMatchObject({ paired_by: "alike", a: { at: 2, title: story }, b: { at: 1 } });
    expect(alike?.change).toMatchObject({ how: "words" });
    expect(alike?.change?.how === "words" && alike.change.words.filter(({ kind }) => kind !== "same")).toEqual([
      { kind: "removed", text: "noon " },
      { kind: "added", text: "one " },
    ]);
    expect(copy).toMatchObject({
      paired_by: "copy",
      change: { how: "paths", paths: [{ kind: "changed", path: "/city", before: "Bonn", after: "Köln" }] },
    });
    expect(found.verdicts.rewritten).toMatchObject({ cards: 2, a: { cards: 2 }, b: { cards: 2 } });
    expect(found.unpaired).toBe(0);
  });

  test("a page of one verdict, and the totals of all", async () => {
    const ids = Array.from({ length: 12 }, (_, i) => `p${i}`);
    await put(ids.map((card_id) => ({ card_id, content: `words of ${card_id}` })));
    const [a, b] = [await box(ids.slice(0, 6)), await box(ids)];
    const added = await diff(a, b, { verdict: "added", from: 2, limit: 3 });
    expect(added).toMatchObject({ rows_total: 6, from: 2, verdicts: { same: { cards: 6 }, added: { cards: 6 } } });
    expect(told(added)).toEqual(["added p8", "added p9", "added p10"]);
  });

  test("the content of a deleted card is not compared, and a card that is not stored is", async () => {
    await put([
      { card_id: "d1", content: story },
      { card_id: "d2", content: `${story} again`, metadata: { replaces: "d1" } },
    ]);
    await kernel.db.pool.query("UPDATE cards SET deleted_at = now() WHERE tenant_id = $1 AND card_id = 'd1'", [P]);
    const found = await diff(await box(["d1", "ghost"]), await box(["d2", "ghost"]));
    expect(told(found)).toEqual(["rewritten d1 d2", "same ghost ghost"]);
    expect(found.rows[0]?.change).toMatchObject({ how: "none" });
    expect(JSON.stringify(found.rows[0]?.a)).not.toContain("train");
  });

  test("statements do not grow with the cards, and a box of another project is not found", async () => {
    const ids = Array.from({ length: 300 }, (_, i) => `s${i}`);
    await put(ids.map((card_id, i) => ({ card_id, content: `${story} number ${i} ${card_id} ${i * 7}` })));
    const counted = async (a: string, b: string) =>
      countStatements(kernel, (counting) => diffBoxes(counting, { project_id: P, a, b, from: 0, limit: 1_000 }));
    expect(await counted(await box(["s0"]), await box(["s1"]))).toBe(6);
    expect(await counted(await box(ids.slice(0, 150)), await box(ids.slice(150)))).toBe(6);
    const [a, b] = [await box(["s0"]), await box(["s0"])];
    expect(await counted(a, b)).toBe(4);
    await expect(diff(a, "nowhere")).rejects.toMatchObject({ code: "not_found", message: "box nowhere not found" });
    await expect(diff(a, b, { project_id: "neighbour" })).rejects.toMatchObject({ code: "not_found" });
  });
});

test("what is beyond the limits is told: cards that were not paired, pairs that were not compared", async () => {
  const made = (id: string) =>
    Array.from({ length: 2_010 }, (_, i) => ({
      card_id: `${id}${i}`,
      content: `${story} ${"x".repeat(i % 7)} ${i} ${id}`,
    }));
  const [a, b] = [made("u"), made("v")];
  for (const cards of [a, b]) await put(cards);
  const ids = (cards: typeof a) => cards.map(({ card_id }) => card_id);
  const found = await diff(await box(ids(a)), await box(ids(b)));
  expect(found.unpaired).toBe(20);
  const sum = Object.values(found.verdicts).reduce((n, one) => n + one.a.cards + one.b.cards, 0);
  expect(sum).toBe(4_020);
  expect(found.verdicts.rewritten?.cards).toBeGreaterThan(1_900);
  const pairs = found.rows.filter(({ verdict }) => verdict === "rewritten");
  expect(pairs.slice(0, 50).every(({ change }) => change?.how === "words")).toBe(true);
  expect(pairs[50]?.change).toEqual({ how: "none", reason: "At most 50 pairs of one answer are compared." });
  await put([
    { card_id: "big1", content: "word ".repeat(30_000) },
    { card_id: "big2", content: "word ".repeat(30_001), metadata: { replaces: "big1" } },
  ]);
  const large = await diff(await box(["big1"]), await box(["big2"]));
  expect(large.rows[0]?.change).toEqual({ how: "none", reason: "One of them has more than 50,000 letters." });
});

const logs = sharedFiles("who-and-when", ".json");
test.skipIf(logs.length === 0)("on a real log the totals of each diff are those of its boxes", async () => {
  const [log] = logs;
  if (!log) throw new Error("a log was given");
  await seedProject(kernel, "log");
  await importRun(kernel, {
    project_id: "log",
    format: "who-and-when",
    bytes: fs.readFileSync(log.path),
    name: log.name,
  });
  const { rows } = await kernel.db.pool.query<{ context_box_id: string }>(
    "SELECT context_box_id FROM state.agent_turns WHERE project_id = 'log' ORDER BY created_at, agent_turn_id",
  );
  expect(rows.length).toBeGreaterThan(1);
  for (const [i, { context_box_id: b }] of rows.entries()) {
    const a = rows[i - 1]?.context_box_id ?? b;
    const found = await diff(a, b, { project_id: "log" });
    for (const side of ["a", "b"] as const) {
      const sums = Object.values(found.verdicts).map((one) => one[side]);
      expect(sums.reduce((n, { cards }) => n + cards, 0)).toBe(found[side].cards);
      expect(sums.reduce((n, { tokens }) => n + tokens, 0)).toBe(found[side].tokens);
    }
    expect(found.rows_total).toBe(Object.values(found.verdicts).reduce((n, one) => n + one.cards, 0));
  }
});

test("what was sent at two steps: prompt and tools are the same cards, and the new cards are added", async () => {
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Thinker" });
  const turn = await untilTurn(kernel, P, agent_turn_id);
  const { rows } = await kernel.db.pool.query<{ step_id: string }>(
    "SELECT step_id FROM state.agent_steps WHERE project_id = $1 AND agent_turn_id = $2 ORDER BY ordinal",
    [P, agent_turn_id],
  );
  const [first, second] = rows.map(({ step_id }) => step_id);
  if (!first || !second) throw new Error("two steps were taken");
  const found = await diffSteps(kernel, { project_id: P, a: first, b: second, from: 0, limit: 200 });
  expect(found.a).toMatchObject({ kind: "request", step_id: first, ordinal: 1, turn: { agent_turn_id } });
  expect(found.b).toMatchObject({ ordinal: 2, turn: { headcode: turn.headcode } });
  const system = found.rows.filter(({ b }) => b?.type.startsWith("sys."));
  expect(system.map(({ verdict, same_words }) => [verdict, same_words])).toEqual([
    ["same", undefined],
    ["same", undefined],
  ]);
  expect(found.rows.find(({ b }) => b?.type === "agent.thought")?.verdict).toBe("added");
  expect(found.verdicts.removed).toBeUndefined();
  // By its box it is the same request.
  expect((await diff(found.a.box_id, found.b.box_id)).a).toMatchObject({ step_id: first, ordinal: 1 });
  for (const other of ["nowhere", "not an id'"])
    await expect(diffSteps(kernel, { project_id: P, a: first, b: other, from: 0, limit: 1 })).rejects.toMatchObject({
      code: "not_found",
      message: expect.stringContaining(`step ${other} not found`),
    });
  await expect(
    diffSteps(kernel, { project_id: "neighbour", a: first, b: second, from: 0, limit: 1 }),
  ).rejects.toMatchObject({ code: "not_found" });
});
