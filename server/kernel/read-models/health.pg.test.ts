// The read behind the page and /api/v1/health: what it says about waiting rows, about a row on which the watchdog fails, about
// standbys and about the server itself.
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openDb } from "@/server/db";
import { callersOf, toNew } from "@/server/testing/callers";
import { callsOf } from "@/server/testing/calls";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";
import { registerWorker } from "../turns/register-worker";
import { suspendTurn } from "../turns/suspend-turn";
import { readHealth } from "./read-health";
import { replicationOf } from "./replication";

let kernel: TestKernel;
const P = "sick";
const { running, accepted } = callersOf(() => kernel, P);
const { call, saveTool } = callsOf(() => kernel, P);
const sql = (text: string, values: unknown[] = []) => kernel.test.pool.query(text, values);
const health = () => readHealth(kernel, "1");

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [
    { name: "Boss", allowed_tools: ["slow"], llm_config: { provider: "demo" } },
    { name: "Scripted", worker_target: "t_any", llm_config: { provider: "demo" } },
    { name: "Own", worker_target: "t_own" },
  ]);
  await saveTool("slow", { target_subject: "cmd.tool.slow", options: { timeout_ms: 7_200_000 } });
});
afterAll(() => kernel.close());

test("waiting turns are listed by target, with whether a worker takes them; a turn without a model needs a worker of its project", async () => {
  const boss = await running("Boss");
  await accepted(boss, toNew("Scripted"));
  await accepted(boss, toNew("Own"));
  await sql("UPDATE state.due SET next_retry_at = now() - interval '1 minute' WHERE claimed_by IS NULL");
  const of = async (target: string) => (await health()).waiting.first.find((one) => one.worker_target === target);
  expect(await of("t_any")).toMatchObject({ project_id: P, project_title: P, rows: 1, needs_own_worker: false });
  expect(await of("t_own")).toMatchObject({ rows: 1, needs_own_worker: true, is_served: false });
  expect((await health()).starved_targets).toEqual(["t_any", "t_own"]);

  await registerWorker(kernel, { worker_id: "w_all", targets: ["*"], version: "1" });
  expect([(await of("t_any"))?.is_served, (await of("t_own"))?.is_served]).toEqual([true, false]);
  const before = await health();
  expect(before.waiting).toMatchObject({ groups: 2, rows: 2 });
  // Targets that nobody serves come first.
  expect(before.waiting.first.map((one) => one.worker_target)).toEqual(["t_own", "t_any"]);
  await registerWorker(kernel, { worker_id: "w_own", targets: ["t_own"], version: "1", project_id: P });
  expect((await of("t_own"))?.is_served).toBe(true);
  expect((await health()).starved_targets).toEqual([]);
});

test("a row on which the watchdog fails names its project and the turn that it blocks", async () => {
  const turn = await running("Boss");
  const { tool_call_id } = await call(turn, "slow");
  await suspendTurn(kernel, { ...turn, tool_call_ids: [tool_call_id] });
  const fail = (rule: string, key: string) =>
    sql(
      `INSERT INTO state.watchdog_failures (project_id, rule, row_key, error_code, last_error, next_try_at)
       VALUES ($1, $2, $3, 'XX001', 'this row is broken', now() + interval '1 hour')`,
      [P, rule, key],
    );
  await fail("expire-tools", tool_call_id);
  await fail("take-over", turn.agent_turn_id);
  await fail("index-cards", "card_of_no_turn");
  const { watchdog, status } = await health();
  expect([status, watchdog.failing]).toEqual(["degraded", 3]);
  const turnOf = (rule: string) => watchdog.newest.find((one) => one.rule === rule)?.agent_turn_id;
  expect([turnOf("expire-tools"), turnOf("take-over"), turnOf("index-cards")]).toEqual([
    turn.agent_turn_id,
    turn.agent_turn_id,
    undefined,
  ]);
  expect(watchdog.newest.every((one) => one.project_title === P)).toBe(true);
});

test("REST answers what the page reads", async () => {
  const answer = await restOf(() => kernel).get("/health");
  expect(answer.status).toBe(200);
  expect(Object.keys(answer.json)).toEqual(
    expect.arrayContaining(["replication", "generation", "waiting", "watchdog", "workers"]),
  );
  expect(answer.json.replication).toEqual((await health()).replication);
});

test("the generation shows since when this server is the database, and why", async () => {
  await sql("UPDATE state.installation SET reason = 'promoted', generation = generation + 1, began_at = now()");
  expect((await health()).generation).toMatchObject({ reason: "promoted", generation: expect.any(Number) });
});

test("every role can see that there is no standby; one that a role may not see is unknown, and nothing is guessed", async () => {
  expect((await health()).replication).toEqual({ mode: "none", standbys: 0, may_lose: true });
  await sql("CREATE ROLE health_plain LOGIN PASSWORD 'plain'");
  onTestFinished(async () => {
    await sql("DROP OWNED BY health_plain; DROP ROLE health_plain");
  });
  await sql("GRANT USAGE ON SCHEMA state, resource, public TO health_plain");
  await sql("GRANT SELECT ON ALL TABLES IN SCHEMA state, resource, public TO health_plain");
  const url = new URL(kernel.test.url);
  url.username = "health_plain";
  url.password = "plain";
  const db = openDb(url.href, { name: "switchyard-plain", max: 1 });
  onTestFinished(() => db.close());
  expect((await readHealth({ ...kernel, db }, "1")).replication).toEqual({ mode: "none", standbys: 0, may_lose: true });

  const seen = { can_see: true, is_sync: false, senders: 1, standbys: 1, lag_bytes: 512 };
  expect(replicationOf(seen)).toEqual({ mode: "async", standbys: 1, lag_bytes: 512, may_lose: true });
  expect(replicationOf({ ...seen, is_sync: true })).toMatchObject({ mode: "sync", may_lose: false });
  expect(replicationOf({ ...seen, can_see: false, standbys: 0, lag_bytes: null })).toEqual({ mode: "unknown" });
});
