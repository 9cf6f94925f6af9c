// A removed project is not there for anybody, and all there again after an undo; when the time is over the watchdog deletes it.
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { createCaller } from "@/server/api/root";
import { createBriefMemory } from "@/server/kernel/brief-memory";
import { createKernel } from "@/server/kernel/kernel";
import { launch } from "@/server/kernel/launch/launch";
import { publishPlan } from "@/server/kernel/plan/publish-plan";
import { createDraft } from "@/server/kernel/plan/save-draft";
import { readDemoExtras } from "@/server/kernel/read-models/read-demo-extras";
import { readHealth } from "@/server/kernel/read-models/read-health";
import { watchOnce } from "@/server/kernel/reclaim/watch-turns";
import { createProject } from "@/server/kernel/roster/create-project";
import { deleteProject } from "@/server/kernel/roster/delete-project";
import { keepDemo } from "@/server/kernel/roster/keep-demo";
import { listProjects } from "@/server/kernel/roster/list-projects";
import { listRemoved } from "@/server/kernel/roster/list-removed";
import { readProject } from "@/server/kernel/roster/read-project";
import { removeProject, undoRemoval } from "@/server/kernel/roster/remove-project";
import { isFenced } from "@/server/kernel/turns/fenced";
import { lockTurn } from "@/server/kernel/turns/lock-turn";
import { takeWork } from "@/server/kernel/turns/take-work";
import { withUnit } from "@/server/kernel/unit";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, wagon } from "@/server/testing/plan-runs";
import { restOf } from "@/server/testing/rest";
import { countStatements } from "@/server/testing/statements";
import { framesOf, launchTurn, scripted, startTestWorker, untilTurn } from "@/server/testing/turns";

const opened: TestKernel[] = [];
let kernel: TestKernel;
const P = "p1";
const gone = { code: "not_found", message: `project ${P} not found` };

beforeEach(async () => {
  kernel = await openTestKernel();
  opened.push(kernel);
  await seedProject(kernel, P, [scripted("Doer", [{ deliver: "done" }])]);
  await seedProject(kernel, "other", [scripted("Doer", [{ deliver: "done" }])]);
});
afterAll(() => Promise.all(opened.map((one) => one.close())));

const take = () => takeWork(kernel, { worker_targets: ["*"], worker_id: "w", limit: 16 });

test("removed, no list, no reader and no door knows it; undone, everything is as it was", async () => {
  await launchTurn(kernel, P, { target: "Doer" });
  const { refused } = restOf(() => kernel);
  const api = createCaller(async () => ({ kernel, user: "local" }));
  const before = await countRows(kernel);
  await removeProject(kernel, P);

  expect((await listProjects(kernel)).map((project) => project.project_id)).toEqual(["other"]);
  await expect(readProject(kernel, P)).rejects.toMatchObject(gone);
  await expect(removeProject(kernel, P)).rejects.toMatchObject(gone);
  await expect(deleteProject(kernel, P)).rejects.toMatchObject(gone);
  for (const path of ["", "/turns", "/profiles", "/state/steps", "/batches", "/human-requests"])
    expect(await refused("GET", `/projects/${P}${path}`)).toMatchObject({ status: 404, error_code: "not_found" });
  expect(
    await refused("POST", `/projects/${P}/workers:claim`, {
      body: { worker_target: "worker_generic", worker_id: "w" },
    }),
  ).toMatchObject({ status: 404 });
  expect(await refused("PATCH", `/projects/${P}`, { body: { title: "Other" } })).toMatchObject({ status: 404 });
  await expect(api.graph.snapshot({ project_id: P })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(api.project.get({ project_id: P })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(api.inbox.open_requests({ project_id: P })).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await readHealth(kernel, "0")).waiting.rows).toBe(0);

  await undoRemoval(kernel, P);
  expect((await readProject(kernel, P)).project_id).toBe(P);
  expect((await framesOf(kernel, P, "project")).map((frame) => frame.is_deleted).slice(-2)).toEqual([true, false]);
  const after = await countRows(kernel);
  expect({ ...after, "state.journal_packs": 0 }).toEqual({ ...before, "state.journal_packs": 0 });
  await expect(undoRemoval(kernel, P)).rejects.toMatchObject({ code: "not_found" });
});

test("a request asks once a second whether its project is there: beyond that, only its own statements", async () => {
  let now = 0;
  const timed = createKernel({ ...kernel, projectsThere: createBriefMemory({ now: () => now }) });
  const asking = (times: number) =>
    countStatements(timed, (counting) => {
      const api = createCaller(async () => ({ kernel: counting, user: "local" }));
      return Promise.all(Array.from({ length: times }, () => api.project.get({ project_id: P })));
    });
  const own = await countStatements(timed, (counting) => readProject(counting, P));
  expect(await asking(3)).toBe(3 * own + 1);
  expect(await asking(1)).toBe(own);
  expect(await countStatements(timed, (counting) => restOf(() => counting).get(`/projects/${P}`))).toBe(own);
  now = 1_000;
  expect(await asking(1)).toBe(own + 1);
});

test("a removal counts at once in the process that made it, and within a second in others", async () => {
  const other = createKernel({ db: kernel.db, doorbell: kernel.doorbell });
  const [here, there] = [kernel, other].map((one) => createCaller(async () => ({ kernel: one, user: "local" })));
  const read = (api: typeof here) => api?.inbox.open_requests({ project_id: P });
  await Promise.all([read(here), read(there)]);
  await removeProject(kernel, P);
  await expect(read(here)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect
    .poll(() =>
      read(there)?.then(
        () => "found",
        (error) => error.code,
      ),
    )
    .toBe("NOT_FOUND");

  await undoRemoval(other, P);
  await expect(read(there)).resolves.toBeDefined();
  await expect(read(here)).resolves.toBeDefined();
});

test("workers take nothing of it, and a turn that runs is refused its writes without a word of late writers", async () => {
  const waiting = await launchTurn(kernel, P, { target: "Doer" });
  const [running] = await take();
  expect(running?.turn?.agent_turn_id).toBe(waiting.agent_turn_id);
  const next = await launchTurn(kernel, P, { target: "Doer" });
  const elsewhere = await launchTurn(kernel, "other", { target: "Doer" });
  await removeProject(kernel, P);

  expect((await take()).map((row) => row.agent_turn_id)).toEqual([elsewhere.agent_turn_id]);
  const key = { project_id: P, agent_turn_id: waiting.agent_turn_id, turn_epoch: running?.turn_epoch ?? 0 };
  const lock = () => withUnit(kernel, (unit) => lockTurn(unit, { ...key, statuses: ["running"], what: "append" }));
  const refused = await lock();
  expect(isFenced(refused)).toBe(true);
  expect(refused).toMatchObject({ current_epoch: null });
  expect(await framesOf(kernel, P, "rejected_late")).toEqual([]);

  await undoRemoval(kernel, P);
  expect(isFenced(await lock())).toBe(false);
  expect((await take()).map((row) => row.agent_turn_id)).toEqual([next.agent_turn_id]);
});

test("a turn that runs while its project is hidden goes on at once after the undo, under its own worker", async () => {
  await seedProject(kernel, "hidden", [
    scripted("Slow", [{ think: "a", wait_ms: 300 }, { think: "b", wait_ms: 300 }, { deliver: "done" }]),
  ]);
  const { agent_turn_id } = await launchTurn(kernel, "hidden", { target: "Slow" });
  const worker = await startTestWorker(kernel);
  onTestFinished(() => worker.stop());
  await untilTurn(kernel, "hidden", agent_turn_id, (turn) => turn.step_count === 1);
  await removeProject(kernel, "hidden");
  await expect.poll(() => worker.active(), { timeout: 5_000 }).toBe(0);
  await undoRemoval(kernel, "hidden");
  const ended = await untilTurn(kernel, "hidden", agent_turn_id, "ended", 5_000);
  expect(ended).toMatchObject({ status: "success", attempt: 1, handovers: 0, turn_epoch: 1 });
});

test("a removal whose answer was lost is answered again, not refused", async () => {
  const api = createCaller(async () => ({ kernel, user: "local", key: "a-lost-answer" }));
  await api.project.hide({ project_id: P });
  await api.project.hide({ project_id: P });
  expect(await listRemoved(kernel)).toHaveLength(1);
  await undoRemoval(kernel, P);
  // The same gesture once more is an old one: it does not remove what was taken back.
  await api.project.hide({ project_id: P });
  expect(await listRemoved(kernel)).toEqual([]);
});

test("a repeated request to create it does not delete it", async () => {
  const { post } = restOf(() => kernel);
  const create = () => post("/projects", { project_id: "made", title: "Made" }, { "idempotency-key": "make-it" });
  expect((await create()).status).toBe(201);
  await removeProject(kernel, "made");
  expect((await create()).status).toBe(201);
  expect((await listRemoved(kernel)).map(({ project_id }) => project_id)).toEqual(["made"]);
});

test("one that cannot be deleted does not keep the others", async () => {
  await removeProject(kernel, P);
  await removeProject(kernel, "other");
  await kernel.db.pool.query(`
    CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'held'; END $$;
    CREATE TRIGGER hold BEFORE DELETE ON projects FOR EACH ROW WHEN (OLD.project_id = '${P}') EXECUTE FUNCTION hold()`);
  const report = await watchOnce(createKernel({ ...kernel, tunables: { ...kernel.tunables, removedMs: 0 } }));
  expect(report).toMatchObject({ failed: [], acted: { "delete-removed": 1 } });
  const { watchdog } = await readHealth(kernel, "test");
  expect(watchdog.newest).toMatchObject([{ project_id: P, rule: "delete-removed", row_key: P, attempts: 1 }]);
  expect((await kernel.db.pool.query("SELECT project_id FROM projects")).rows).toEqual([{ project_id: P }]);
  // Begun is begun: a part of it may be gone.
  expect(await listRemoved(kernel)).toEqual([]);
  await expect(undoRemoval(kernel, P)).rejects.toMatchObject({ code: "not_found" });
});

test("the watchdog deletes it when the time is over, also after a restart, and never one that was taken back", async () => {
  await launchTurn(kernel, P, { target: "Doer" });
  await removeProject(kernel, P);
  expect(await listRemoved(kernel)).toMatchObject([{ project_id: P, title: P, is_demo: false }]);
  await watchOnce(kernel);
  expect(await listRemoved(kernel)).toHaveLength(1);

  const restarted = createKernel({ ...kernel, tunables: { ...kernel.tunables, removedMs: 0 } });
  await undoRemoval(restarted, P);
  expect((await watchOnce(restarted)).acted["delete-removed"]).toBeUndefined();
  await removeProject(restarted, P);
  const report = await watchOnce(restarted);
  expect(report.failed).toEqual([]);
  expect(report.acted["delete-removed"]).toBe(1);
  expect(await listRemoved(kernel)).toEqual([]);
  await expect(undoRemoval(kernel, P)).rejects.toMatchObject({ code: "not_found" });
  const { rows } = await kernel.db.pool.query("SELECT 1 FROM state.agent_turns WHERE project_id = $1", [P]);
  expect(rows).toEqual([]);
  expect((await listProjects(kernel)).map((project) => project.project_id)).toEqual(["other"]);
});

test("its id is free: whoever takes it begins with an empty project, and nothing is left to undo", async () => {
  await removeProject(kernel, P);
  await createProject(kernel, { project_id: P, title: "Anew" });
  expect(await readProject(kernel, P)).toMatchObject({ title: "Anew", run_count: 0 });
  await expect(undoRemoval(kernel, P)).rejects.toMatchObject({ code: "not_found" });
  await expect(createProject(kernel, { project_id: P, title: "Again" })).rejects.toMatchObject({ code: "conflict" });
});

test("of a demo is told what is not the demo's, and it can be kept as a project", async () => {
  await createProject(kernel, { project_id: "show", title: "Show", is_demo: true });
  await expect(keepDemo(kernel, P)).rejects.toMatchObject({ code: "not_found" });
  expect(await readDemoExtras(kernel, "show")).toEqual({
    runs: 0,
    turns: 0,
    agents: 0,
    cards: 0,
    profiles: 0,
    plans: 0,
  });
  await expect(readDemoExtras(kernel, "nowhere")).rejects.toMatchObject({ code: "not_found" });

  const worker = await startTestWorker(kernel);
  const own = await launchTurn(kernel, P, { target: "Doer" });
  await untilTurn(kernel, P, own.agent_turn_id, "success");
  await worker.stop();
  const body = planBody([wagon("a", { target: { ref: "Doer" } })], { name: "Own" });
  await publishPlan(kernel, { project_id: P, user: "ann", message: "", body });
  const extras = await readDemoExtras(kernel, P);
  expect(extras).toMatchObject({ runs: 1, turns: 1, agents: 1, profiles: 1, plans: 1 });
  expect(extras.cards).toBeGreaterThan(0);
  // As launched by the demo itself, nothing of it is anybody's own.
  await kernel.db.pool.query("UPDATE state.runs SET source = 'demo' WHERE project_id = $1", [P]);
  await kernel.db.pool.query("UPDATE resource.plans SET created_by = 'switchyard' WHERE project_id = $1", [P]);
  expect(await readDemoExtras(kernel, P)).toEqual({ runs: 0, turns: 0, agents: 0, cards: 0, profiles: 0, plans: 0 });

  await keepDemo(kernel, "show");
  expect(await readProject(kernel, "show")).toMatchObject({ is_demo: false });
});

test("plans go with it: their versions, drafts, runs and what waits for people", async () => {
  const body = planBody([wagon("a", { target: { ref: "Doer" }, hold: true })], { name: "Kept" });
  for (const project_id of [P, "other"]) {
    const { version } = await publishPlan(kernel, { project_id, user: "ann", message: "", body });
    await createDraft(kernel, { project_id, user: "ann", body, base_version: version.version });
    await launch(kernel, { project_id, tool: "launch_plan", user: "ann", args: { plan: "Kept" } });
  }
  const tables = ["resource.plans", "resource.plan_versions", "resource.plan_drafts", "state.plan_runs"];
  const rest = ["state.plan_run_nodes", "state.human_requests"];
  const owners = async () =>
    Promise.all(
      [...tables, ...rest].map(async (table) => {
        const { rows } = await kernel.db.pool.query<{ project_id: string }>(`SELECT project_id FROM ${table}`);
        return [table, rows.map((row) => row.project_id).sort()] as const;
      }),
    );
  for (const [table, found] of await owners()) expect([table, found]).toEqual([table, ["other", P].sort()]);
  await removeProject(kernel, P);
  const late = createKernel({ ...kernel, tunables: { ...kernel.tunables, removedMs: 0, purgeRowsMax: 1 } });
  for (let i = 0; i < 3; i++) expect((await watchOnce(late)).failed).toEqual([]);
  for (const [table, found] of await owners()) expect([table, found]).toEqual([table, ["other"]]);
});

test("a large project goes in short transactions, a tick at a time, and does not keep a small one", async () => {
  const [large, small] = [P, "other"];
  await kernel.db.pool.query(
    `INSERT INTO cards (tenant_id, card_id, content, metadata, content_hash, token_count)
     SELECT $1, 'bulk-' || i, '{"kind": "text", "text": "x"}', '{"type": "note", "role": "user"}', 'h', 1 FROM generate_series(1, 3000) i`,
    [large],
  );
  await removeProject(kernel, large);
  await removeProject(kernel, small);
  let most = 0;
  const counted = new Map<number, number>();
  await kernel.db.pool.query("UPDATE projects SET removed_at = now() - interval '1 hour'");
  const cards = async () =>
    (await kernel.db.pool.query<{ n: number }>("SELECT count(*)::int AS n FROM cards WHERE tenant_id = $1", [large]))
      .rows[0]?.n ?? 0;
  // Every transaction is looked at from outside when it has ended; no time is left after the first of each tick.
  const slow = createKernel({ ...kernel, tunables: { ...kernel.tunables, purgeTickMs: 0, purgeRowsMax: 500 } });
  for (let tick = 0, before = await cards(); before > 0; tick++) {
    expect((await watchOnce(slow)).failed).toEqual([]);
    const now = await cards();
    counted.set(tick, before - now);
    most = Math.max(most, before - now);
    before = now;
    expect(tick).toBeLessThan(60);
  }
  expect(most).toBe(500);
  expect((await kernel.db.pool.query("SELECT 1 FROM projects WHERE project_id = $1", [small])).rows).toEqual([]);
  for (let i = 0; i < 40; i++) await watchOnce(slow);
  expect((await kernel.db.pool.query("SELECT project_id FROM projects")).rows).toEqual([]);
  const { rows } = await kernel.db.pool.query("SELECT frames FROM state.journal_packs WHERE project_id = $1", [large]);
  expect(rows).toMatchObject([{ frames: [{ kind: "project", is_deleted: true }] }]);
});

test("deleting it at once, beside a watchdog that is at it too, ends with nothing left and no error", async () => {
  await launchTurn(kernel, P, { target: "Doer" });
  const few = createKernel({ ...kernel, tunables: { ...kernel.tunables, purgeRowsMax: 2 } });
  const [, report] = await Promise.all([deleteProject(few, P), watchOnce(few)]);
  expect(report.failed).toEqual([]);
  await watchOnce(few);
  const tables = await kernel.db.pool.query<{ name: string; column: string }>(
    `SELECT c.table_schema || '.' || c.table_name AS name, c.column_name AS column FROM information_schema.columns c
     JOIN information_schema.tables t USING (table_schema, table_name) WHERE t.table_type = 'BASE TABLE'
       AND c.column_name IN ('project_id', 'tenant_id') AND c.table_name NOT LIKE 'journal%'`,
  );
  const left: string[] = [];
  for (const { name, column } of tables.rows) {
    const { rowCount } = await kernel.db.pool.query(`SELECT 1 FROM ${name} WHERE ${column} = $1`, [P]);
    if (rowCount) left.push(name);
  }
  expect(left).toEqual([]);
});

test("health says when nobody deletes what was removed", async () => {
  await removeProject(kernel, P);
  expect((await readHealth(kernel, "0")).watchdog.overdue).toBe(0);
  await kernel.db.pool.query("UPDATE projects SET removed_at = now() - interval '2 minutes' WHERE project_id = $1", [
    P,
  ]);
  expect(await readHealth(kernel, "0")).toMatchObject({ status: "degraded", watchdog: { overdue: 1 } });
  await watchOnce(kernel);
  expect((await readHealth(kernel, "0")).watchdog.overdue).toBe(0);
});
