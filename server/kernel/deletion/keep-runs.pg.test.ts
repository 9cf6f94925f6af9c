// Runs by age: counted before, deleted by the watchdog, and only those that ended long ago.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";
import { launchTurn, scripted, startTestWorker, untilTurn } from "@/server/testing/turns";
import { watchOnce } from "../reclaim/watch-turns";

let kernel: TestKernel;
const P = "keeping";
const { ok, refused } = restOf(() => kernel);
const sql = (text: string, values: unknown[] = []) => kernel.db.pool.query(text, values);
const path = `/projects/${P}/retention`;
const runs = async (project = P): Promise<string[]> =>
  (await ok("GET", `/projects/${project}/runs`)).items.map((run: { root_turn_id: string }) => run.root_turn_id);
/** As if it had been launched, and had ended, so long ago. */
const age = async (root: string, days: number) => {
  await sql("UPDATE state.runs SET created_at = now() - $2 * interval '1 day' WHERE root_turn_id = $1", [root, days]);
  await sql("UPDATE state.agent_turns SET ended_at = ended_at - $2 * interval '1 day' WHERE root_turn_id = $1", [
    root,
    days,
  ]);
};

beforeAll(async () => {
  kernel = await openTestKernel();
  for (const project of [P, "other"])
    await seedProject(kernel, project, [
      scripted("Echo", [{ deliver: "done" }]),
      scripted("Slow", [{ wait_ms: 60_000 }, { deliver: "late" }]),
    ]);
});
afterAll(() => kernel.close());

async function ran(project = P): Promise<string> {
  const { agent_turn_id } = await launchTurn(kernel, project, { target: "Echo" });
  const worker = await startTestWorker(kernel);
  const turn = await untilTurn(kernel, project, agent_turn_id);
  await worker.stop();
  return turn.root_turn_id;
}

test("off by default; what would go is counted first; live, young and imported runs stay, and other projects", async () => {
  const [old, young, imported, used] = [await ran(), await ran(), await ran(), await ran()];
  const theirs = await ran("other");
  const live = await launchTurn(kernel, P, { target: "Slow" });
  const { rows } = await sql("SELECT root_turn_id FROM state.agent_turns WHERE agent_turn_id = $1", [
    live.agent_turn_id,
  ]);
  const waiting = rows[0]?.root_turn_id;
  for (const root of [old, imported, used, waiting, theirs]) await age(root, 40);
  await sql("UPDATE state.runs SET source = 'import' WHERE root_turn_id = $1", [imported]);
  // Somebody launched into it yesterday.
  await sql("UPDATE state.agent_turns SET ended_at = now() - interval '1 day' WHERE agent_turn_id = $1", [used]);
  await watchOnce(kernel);
  expect(await ok("GET", path)).toEqual({ days: null, due: { count: 0 }, kept: { count: 0 } });
  expect(await ok("GET", `${path}?days=30`)).toEqual({
    days: 30,
    due: { count: 1 },
    kept: { count: 2 },
    newest: { root_turn_id: old, number: 1, title: expect.any(String), created_at: expect.any(String) },
  });
  expect(await runs()).toHaveLength(5);
  expect(await ok("PUT", path, { days: 30 })).toMatchObject({ days: 30, due: { count: 1 } });
  for (let i = 0; i < 50 && (await runs()).includes(old); i++) await watchOnce(kernel);
  expect((await runs()).sort()).toEqual([young, imported, used, waiting].sort());
  expect(await runs("other")).toEqual([theirs]);
  const { items } = await ok("GET", `/projects/${P}/deletions`);
  expect(items).toMatchObject([{ kind: "run", subject_id: old, deleted_by: "retention" }]);
  await ok("PUT", path, { days: null });
  await age(young, 400);
  await watchOnce(kernel);
  expect(await runs()).toContain(young);
});

test("refuses what is no number of days, and projects that are not there", async () => {
  for (const days of [0, -1, 1.5, "9", 4000])
    expect(await refused("PUT", path, { body: { days } }), String(days)).toMatchObject({ status: 422 });
  expect(await refused("PUT", "/projects/nowhere/retention", { body: { days: 1 } })).toMatchObject({ status: 404 });
  expect(await refused("GET", "/projects/nowhere/retention")).toMatchObject({ status: 404 });
});
