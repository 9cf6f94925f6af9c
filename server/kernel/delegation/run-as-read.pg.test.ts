// A fork goes by what it has read of its run. If the run changes before it is locked, the change must not be overwritten.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { callersOf, type Running, toNew } from "@/server/testing/callers";
import { forksOf } from "@/server/testing/forks";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { turnOf } from "@/server/testing/turns";
import type { Kernel } from "../kernel";
import { tunables } from "../tunables";

let kernel: TestKernel;
const P = "run_as_read";
let units: string[][] = [];
let by: Kernel;
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Boss" }, { name: "Hand" }]);
});
beforeEach(() => {
  units = [];
  by = kernel;
  kernel.probe = (point, statements) => {
    if (point === "before-commit" && statements.includes("fork_insert")) units.push([...statements]);
  };
});
afterAll(() => kernel.close());

const { running } = callersOf(() => kernel, P);
const { fork, start } = forksOf(() => by, P);
const hands = (n: number) => Array.from({ length: n }, (_, i) => toNew("Hand", { instruction: `part ${i}` }));
const codesOf = async (made: Awaited<ReturnType<typeof fork>>) => {
  const turns = await Promise.all(made.tasks.map((task) => turnOf(kernel, P, task.agent_turn_id ?? "")));
  return turns.map((turn) => turn.headcode);
};
const runOf = async ({ agent_turn_id }: Pick<Running, "agent_turn_id">) =>
  (await turnOf(kernel, P, agent_turn_id)).root_turn_id;
/** Another transaction has the run's row, has changed it, and commits when it is told to. */
async function changing(root: string, set: string): Promise<() => Promise<void>> {
  const client = await kernel.test.pool.connect();
  await client.query("BEGIN");
  await client.query(`UPDATE state.runs SET ${set} WHERE project_id = $1 AND root_turn_id = $2`, [P, root]);
  return async () => {
    await client.query("COMMIT");
    client.release();
  };
}
const someoneWaits = () =>
  expect
    .poll(async () => {
      const sql =
        "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FROM state.runs%FOR UPDATE'";
      return (await kernel.test.pool.query(sql)).rows.length;
    })
    .toBe(1);
const lockOf = (names: string[] | undefined) => names?.filter((name) => name.startsWith("run_lock"));

test("the run is locked and compared in front of what is written, and its codes follow one another", async () => {
  const boss = await running("Boss");
  const codes = [
    ...(await codesOf(await fork(boss, { tasks: hands(2) }))),
    ...(await codesOf(await fork(boss, { tasks: hands(2) }))),
  ];
  expect(new Set(codes).size).toBe(4);
  expect(units.map(lockOf)).toEqual([["run_lock_as_read"], ["run_lock_as_read"]]);
});

test.each([
  ["gave codes", 'letters = jsonb_set(letters, \'{K}\', \'{"profile": "Other", "count": 3}\')'],
  ["was given limits", `limits = '{"max_running": 1}'`],
])(
  "a run that %s meanwhile: the fork is tried again and locks the run first, as do its next forks",
  async (_what, set) => {
    const boss = await running("Boss");
    const letGo = await changing(await runOf(boss), set);
    const forking = fork(boss, { tasks: hands(2) });
    await someoneWaits();
    await letGo();
    const made = await forking;
    expect(units.map(lockOf)).toEqual([["run_lock"]]);
    expect(new Set(await codesOf(made)).size).toBe(2);
    await fork(boss, { tasks: hands(1) });
    expect(units.map(lockOf)).toEqual([["run_lock"], ["run_lock"]]);
  },
);

test("many agents of one run that fork at once give no code twice, and lose no fork", async () => {
  const boss = await running("Boss");
  const made = await fork(boss, { tasks: Array.from({ length: 8 }, () => toNew("Boss", { instruction: "fork too" })) });
  const bosses = await Promise.all(made.tasks.map(start));
  for (let round = 0; round < 3; round++) {
    const forks = await Promise.all(bosses.map((one) => fork(one, { tasks: hands(3) })));
    const codes = (await Promise.all(forks.map(codesOf))).flat();
    expect([codes.length, new Set(codes).size]).toEqual([24, 24]);
  }
  const { rows } = await kernel.test.pool.query(
    "SELECT headcode FROM state.agent_turns WHERE project_id = $1 AND root_turn_id = $2 GROUP BY headcode HAVING count(*) > 1",
    [P, await runOf(boss)],
  );
  expect(rows).toEqual([]);
});

test("where the queue is nearly full, its turns are counted under the lock, and the fork is refused", async () => {
  by = { ...kernel, tunables: { ...tunables, queuedMax: 3 } };
  const boss = await running("Boss");
  await expect(fork(boss, { tasks: hands(4) })).rejects.toMatchObject({ code: "queue_full" });
  expect(units).toEqual([]);
});

test("any limit of the queue can be half of something: with an odd one a fork is made too", async () => {
  by = { ...kernel, tunables: { ...tunables, queuedMax: 20_001 } };
  const boss = await running("Boss");
  expect((await fork(boss, { tasks: hands(2) })).tasks).toHaveLength(2);
  expect(units.map(lockOf)).toEqual([["run_lock_as_read"]]);
});
