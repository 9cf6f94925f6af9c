// A plan is kept by its connection: one that was made while a project was young must do for the project it becomes.
import { afterAll, beforeAll, expect, test } from "vitest";
import { callersOf, type Running } from "@/server/testing/callers";
import { forksOf } from "@/server/testing/forks";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { CLAIMABLE, claimOf } from "../inbox/claimable";
import { type Unit, withUnit } from "../unit";
import { advance } from "./advance";
import { lockEnding, lockTurn } from "./lock-turn";

let kernel: TestKernel;
const P = "young";
const { running } = callersOf(() => kernel, P);
const { sleeping } = forksOf(() => kernel, P);
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Plain", worker_target: "t1" }]);
});
afterAll(() => kernel.close());

const READ = `SELECT sum(coalesce(idx_tup_fetch, 0) + seq_tup_read)::int AS rows FROM pg_stat_xact_user_tables
  WHERE schemaname IN ('resource', 'state') AND relname = ANY ($1::text[])`;
const rowsRead = async (unit: Unit, ...tables: string[]): Promise<number> =>
  (await unit.query<{ rows: number | null }>("rows_read", READ, [tables]))[0]?.rows ?? 0;

/** Rows of turns and agents that are read to lock one turn, twice, and to move it. */
const lookUp = (turn: Running): Promise<number> =>
  withUnit(kernel, async (unit) => {
    const given = { statuses: ["running" as const], what: "append" };
    const tables = ["agent_turns", "project_agents"];
    const before = await rowsRead(unit, ...tables);
    await lockTurn(unit, { ...turn, ...given });
    await lockEnding(unit, { project_id: P, keys: [turn], ...given });
    await advance(unit, { ...turn, from: ["running"], to: "running", epoch_step: 0, lease_holder: "w" });
    return (await rowsRead(unit, ...tables)) - before;
  });

test("a lock and a move read only the rows of their turn, and no others of its project", async () => {
  const turn = await running("Plain");
  await sleeping("Plain", 64);
  await kernel.test.pool.query("ANALYZE");
  await lookUp(turn);
  for (let i = 0; i < 3; i++) await sleeping("Plain", 64);
  expect(await lookUp(turn)).toBeLessThanOrEqual(20);
}, 60_000);

test("a claim reads what it takes, however many wait", async () => {
  for (let i = 0; i < 4; i++) await sleeping("Plain", 64);
  await kernel.test.pool.query("ANALYZE");
  const claim = claimOf(kernel, { worker_targets: ["t1"], worker_id: "w", limit: 16 }, true).values;
  const [taken, read] = await withUnit(kernel, async (unit) => {
    const before = await rowsRead(unit, "due");
    const rows = await unit.query(
      "claim_lab",
      `SELECT $2::text AS worker_id, found.* FROM (${CLAIMABLE.around}) AS found`,
      claim,
    );
    return [rows.length, (await rowsRead(unit, "due")) - before];
  });
  expect(taken).toBe(16);
  // Of eight runs as many as it takes, counted; then the rows it locks, and finds again.
  expect(read).toBeLessThanOrEqual(180);
}, 60_000);
