// What a fork hands over again and again, counted from the boxes card by card: branches with cards of their own, branches that share
// what they inherit, a batch of one, and nothing of another project.
import { afterAll, beforeAll, expect, test } from "vitest";
import { callersOf, toNew } from "@/server/testing/callers";
import { forksOf } from "@/server/testing/forks";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { countStatements } from "@/server/testing/statements";
import { readBatchRepeats } from "./read-batch-repeats";

let kernel: TestKernel;
const P = "repeats";
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Boss" }, { name: "Hand" }]);
  await seedProject(kernel, "neighbour");
});
afterAll(() => kernel.close());

const { running } = callersOf(() => kernel, P);
const forks = forksOf(() => kernel, P);

type Held = { box_id: string; card_id: string; tokens: number };
const held = (batch_id: string) =>
  forks.rows<Held>(
    `SELECT b.box_id, u.card_id, c.token_count AS tokens FROM (SELECT DISTINCT context_box_id AS box_id FROM state.agent_turns
       WHERE project_id = $1 AND batch_id = $2) b
     JOIN card_box_chunks k ON k.tenant_id = $1 AND k.box_id = b.box_id CROSS JOIN LATERAL unnest(k.card_ids) WITH ORDINALITY AS u(card_id, n)
     JOIN cards c ON c.tenant_id = $1 AND c.card_id = u.card_id ORDER BY b.box_id, k.n, u.n`,
    [batch_id],
  );

async function expectCounted(batch_id: string, tracks: number) {
  const found = await readBatchRepeats(kernel, { project_id: P, batch_id });
  const rows = await held(batch_id);
  const boxes = new Map<string, Held[]>();
  const times = new Map<string, number>();
  for (const row of rows) {
    boxes.set(row.box_id, [...(boxes.get(row.box_id) ?? []), row]);
    times.set(row.card_id, (times.get(row.card_id) ?? 0) + 1);
  }
  const [first = [], ...others] = boxes.values();
  const end = first.findIndex(({ card_id }, i) => others.some((box) => box[i]?.card_id !== card_id));
  const same = end === -1 ? first : first.slice(0, end);
  const weight = new Map(rows.map(({ card_id, tokens }) => [card_id, tokens]));
  const sum = (of: (n: number) => number) =>
    [...times].reduce((all, [card_id, n]) => all + of(n) * (weight.get(card_id) ?? 0), 0);
  expect(found).toEqual({
    ...{ batch_id, tracks, tracks_total: tracks, cards: rows.length, tokens: sum((n) => n) },
    same_first: { cards: same.length, tokens: same.reduce((all, { tokens }) => all + tokens, 0) },
    ...{ first_copies: sum((n) => (n > 1 ? 1 : 0)), repeats: sum((n) => n - 1), unique: sum((n) => (n === 1 ? 1 : 0)) },
  });
  expect(found.first_copies + found.repeats + found.unique).toBe(found.tokens);
  return found;
}

test("what branches inherit is handed over once each; their instructions are their own", async () => {
  const boss = await running("Boss");
  const context_box_id = boss.turn.context_box_id;
  const given = ["iron", "flow", "air"].map((instruction) => toNew("Hand", { instruction, context_box_id }));
  const { batch_id } = await forks.fork(boss, { tasks: given });
  const found = await expectCounted(batch_id, 3);
  expect(found.repeats).toBeGreaterThan(0);
  expect(found.same_first.tokens).toBeGreaterThan(0);
  expect(found.unique).toBeGreaterThan(0);
});

test("a batch of one repeats nothing; a long one takes one statement too", async () => {
  const alone = await forks.fork(await running("Boss"), { tasks: [toNew("Hand", { instruction: "one" })] });
  expect(await expectCounted(alone.batch_id, 1)).toMatchObject({ repeats: 0, first_copies: 0 });
  const many = Array.from({ length: 40 }, (_, i) => toNew("Hand", { instruction: `part ${i}` }));
  const { batch_id } = await forks.fork(await running("Boss"), { tasks: many });
  await expectCounted(batch_id, 40);
  expect(await countStatements(kernel, (counting) => readBatchRepeats(counting, { project_id: P, batch_id }))).toBe(1);
  for (const [project_id, id] of [["neighbour", batch_id] as const, [P, "nothing"] as const])
    await expect(readBatchRepeats(kernel, { project_id, batch_id: id })).rejects.toMatchObject({ code: "not_found" });
});
