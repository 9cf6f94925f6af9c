// A removed project is not there for anybody, and all there again after an undo; when the time is over the watchdog deletes it.
import { afterAll, beforeEach, expect, test } from "vitest";
import { createCaller } from "@/server/api/root";
import { createKernel } from "@/server/kernel/kernel";
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
import { restOf } from "@/server/testing/rest";
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
  expect(report.failed).toMatchObject([{ rule: "delete-removed" }]);
  expect((await listRemoved(kernel)).map(({ project_id }) => project_id)).toEqual([P]);
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
  expect(await readDemoExtras(kernel, "show")).toEqual({ runs: 0, turns: 0, agents: 0, cards: 0, profiles: 0 });
  await expect(readDemoExtras(kernel, "nowhere")).rejects.toMatchObject({ code: "not_found" });

  const worker = await startTestWorker(kernel);
  const own = await launchTurn(kernel, P, { target: "Doer" });
  await untilTurn(kernel, P, own.agent_turn_id, "success");
  await worker.stop();
  const extras = await readDemoExtras(kernel, P);
  expect(extras).toMatchObject({ runs: 1, turns: 1, agents: 1, profiles: 1 });
  expect(extras.cards).toBeGreaterThan(0);
  // As launched by the demo itself, nothing of it is anybody's own.
  await kernel.db.pool.query("UPDATE state.runs SET source = 'demo' WHERE project_id = $1", [P]);
  expect(await readDemoExtras(kernel, P)).toEqual({ runs: 0, turns: 0, agents: 0, cards: 0, profiles: 0 });

  await keepDemo(kernel, "show");
  expect(await readProject(kernel, "show")).toMatchObject({ is_demo: false });
});
