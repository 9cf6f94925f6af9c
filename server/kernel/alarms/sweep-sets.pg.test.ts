// Sets of alarms that are large, from many projects at once, or read over a connection that breaks.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { alarmsOf } from "@/server/testing/alarms";
import { callersOf, toNew } from "@/server/testing/callers";
import { forksOf } from "@/server/testing/forks";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { createBoxes } from "../cardbox/create-boxes";
import { findItems } from "../cardbox/get-cards";
import { sweepAlarms } from "../reclaim/sweep-alarms";
import { tunables } from "../tunables";
import { withUnit } from "../unit";

let kernel: TestKernel;
const [A, B] = ["sets_a", "sets_b"];
beforeAll(async () => {
  kernel = await openTestKernel({ tunables: { ...tunables, alarmTickMs: 20_000 } });
  for (const project_id of [A, B]) await seedProject(kernel, project_id, [{ name: "Boss" }, { name: "Hand" }]);
});
afterAll(() => kernel.close());
const sql = async (text: string, values: unknown[] = []) => (await kernel.test.pool.query(text, values)).rows;
beforeEach(() => sql("DELETE FROM state.alarm_due").then(() => undefined));

const of = () => ({ ...callersOf(() => kernel, A), ...forksOf(() => kernel, A), ...alarmsOf(() => kernel, A) });
const due = (project_id: string, count: number) =>
  sql(
    "INSERT INTO state.alarm_due (project_id, subject_kind, subject_id) SELECT $1, 'turn', 'turn_x' || g FROM generate_series(1, $2::int) g",
    [project_id, count],
  );
const left = async (project_id: string): Promise<number> =>
  (await sql("SELECT count(*)::int AS n FROM state.alarm_due WHERE project_id = $1", [project_id]))[0].n;

test("64 siblings of 400 cards are compared as sets, and not card by card", { timeout: 90_000 }, async () => {
  const [branches, held] = [64, 400];
  await sql("UPDATE projects SET alarm_limits = '{\"sibling_lacks_tokens\": 10}' WHERE project_id = $1", [A]);
  const tasks = Array.from({ length: branches }, (_, i) => toNew("Hand", { instruction: `part ${i}` }));
  const boss = await of().sleeping("Boss", tasks);
  const words = "some words here ".repeat(20);
  const ids = await of().cards(Array.from({ length: held }, (_, i) => `card ${i} ${words}`));
  for (const [n, task] of boss.fork.tasks.entries()) {
    const card_ids = ids.filter((_, i) => (i + n) % 41 !== 0);
    const [box] = await withUnit(kernel, async (unit) => {
      const items = await findItems(unit, { project_id: A, card_ids, origin: "card" });
      return createBoxes(unit, { project_id: A, boxes: [{ kind: "context", items }] });
    });
    await sql("UPDATE state.agent_turns SET context_box_id = $3 WHERE project_id = $1 AND agent_turn_id = $2", [
      ...[A, task.agent_turn_id, box?.box_id],
    ]);
  }
  await sql("DELETE FROM state.alarm_due");
  await sql("INSERT INTO state.alarm_due (project_id, subject_kind, subject_id) VALUES ($1, 'batch', $2)", [
    ...[A, boss.fork.batch_id],
  ]);
  // As nested loops this was canceled after half a minute.
  expect(await sweepAlarms(kernel)).toBe(branches);
  expect(await sql("SELECT 1 FROM state.watchdog_failures")).toEqual([]);
});

test("what was due at the start of a tick is looked at in it, whoever else is busy", async () => {
  await due(B, 150);
  for (let tick = 0; tick < 3; tick++) {
    await due(A, 199);
    await sweepAlarms(kernel);
    expect([await left(A), await left(B)]).toEqual([0, 0]);
  }
});

test("a connection that is lost while a rule reads is no row's failure", async () => {
  await due(A, 3);
  const client = await kernel.test.pool.connect();
  await client.query("BEGIN");
  await client.query("LOCK TABLE state.agent_steps IN ACCESS EXCLUSIVE MODE");
  const sweeping = sweepAlarms(kernel).then(
    () => "swept",
    (error: { code?: string }) => error.code,
  );
  const END =
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND pid <> pg_backend_pid() AND datname = current_database()";
  await expect.poll(async () => (await sql(END)).length, { timeout: 5_000 }).toBe(1);
  await client.query("ROLLBACK");
  client.release();
  expect([await sweeping, await sql("SELECT row_key FROM state.watchdog_failures")]).toEqual(["storage_error", []]);
});
