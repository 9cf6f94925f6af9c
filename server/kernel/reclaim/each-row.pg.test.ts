// One bad row of a rule stops no other: it is recorded, skipped, tried again later, and forgotten when it succeeds or is gone.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { breakRows } from "@/server/testing/broken-rows";
import { callersOf } from "@/server/testing/callers";
import { callsOf } from "@/server/testing/calls";
import { beginDeleting, expireFile } from "@/server/testing/deletions";
import { forksOf } from "@/server/testing/forks";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, plansOf, wagon } from "@/server/testing/plan-runs";
import { draftCard } from "../cardbox/draft-card";
import { storeCards } from "../cardbox/insert-cards";
import { claimInbox } from "../inbox/claim-inbox";
import type { Kernel } from "../kernel";
import { readHealth } from "../read-models/read-health";
import { createProject } from "../roster/create-project";
import { deleteProject } from "../roster/delete-project";
import { removeProject } from "../roster/remove-project";
import { tunables } from "../tunables";
import { suspendTurn } from "../turns/suspend-turn";
import { withUnit } from "../unit";
import { eachRow, type RowRule } from "./each-row";
import { expireTools } from "./expire-tools";
import { requeueUnstarted } from "./requeue-unstarted";
import { stopTurn } from "./stop-turn";
import { watchOnce } from "./watch-turns";

let kernel: TestKernel;
const sql = (text: string, values: unknown[] = []) => kernel.test.pool.query(text, values);
/** The one with the row that breaks is older than the other, and so is its row. */
const BAD = "bad";
const GOOD = "good";

beforeAll(async () => {
  // How much of a long row a tick does is not judged here.
  kernel = await openTestKernel({ tunables: { ...tunables, purgeTickMs: 20_000 } });
  for (const project of [BAD, GOOD]) {
    await seedProject(kernel, project, [{ name: "Plain", worker_target: "t1", allowed_tools: ["slow", "ask_human"] }]);
    await callsOf(() => kernel, project).saveTool("slow", {
      target_subject: "cmd.tool.slow",
      options: { timeout_ms: 7_200_000 },
    });
  }
  await breakRows(sql);
});
afterAll(() => kernel.close());
afterEach(async () => {
  await sql("DELETE FROM public.broken");
  await sql("DELETE FROM state.watchdog_failures");
});

const of = (project: string) => ({
  ...callersOf(() => kernel, project),
  ...callsOf(() => kernel, project),
  ...forksOf(() => kernel, project),
});
const failures = async () =>
  (await sql("SELECT *, extract(epoch FROM next_try_at - last_seen_at)::int AS wait_s FROM state.watchdog_failures"))
    .rows;
const tryAgainNow = () => sql("UPDATE state.watchdog_failures SET next_try_at = now() - interval '1 s'");
const age = (agent_id: string) =>
  sql(
    `UPDATE state.due d SET created_at = d.created_at - interval '1 hour', claimed_at = d.claimed_at - interval '1 hour',
       heartbeat_at = d.heartbeat_at - interval '1 hour'
     FROM state.agent_turns t WHERE t.agent_id = $1 AND t.project_id = d.project_id AND t.agent_turn_id = d.agent_turn_id`,
    [agent_id],
  );

/** Creates a row of the project that the rule has to act on; returns its key, and how to check that the rule acted. */
type Make = (
  project: string,
) => Promise<{ key: string; owner?: string; agent_turn_id?: string; isDone: () => Promise<boolean> }>;

async function asleepOn(project: string) {
  const { running, call } = of(project);
  const turn = await running("Plain");
  const { tool_call_id } = await call(turn, "slow");
  await suspendTurn(kernel, { ...turn, tool_call_ids: [tool_call_id] });
  return { turn, tool_call_id };
}
const is = async (text: string, id: string) => (await sql(text, [id])).rows.length > 0;

const rules: Record<RowRule, Make> = {
  "expire-tools": async (project) => {
    const { turn, tool_call_id } = await asleepOn(project);
    await of(project).expireNow(tool_call_id);
    const isDone = async () => (await of(project).waitOf(tool_call_id))?.wait_status === "received";
    return { key: tool_call_id, agent_turn_id: turn.agent_turn_id, isDone };
  },
  "take-over": async (project) => {
    const turn = await of(project).running("Plain");
    await age(turn.agent_id);
    const isDone = () =>
      is("SELECT 1 FROM state.agent_turns WHERE agent_turn_id = $1 AND turn_epoch = 2", turn.agent_turn_id);
    return { key: turn.agent_turn_id, agent_turn_id: turn.agent_turn_id, isDone };
  },
  "expire-requests": async (project) => {
    const { running, call } = of(project);
    const turn = await running("Plain");
    const { tool_call_id } = await call(turn, "ask_human", { question: "Well?" });
    await suspendTurn(kernel, { ...turn, tool_call_ids: [tool_call_id] });
    const { rows } = await sql(
      "UPDATE state.human_requests SET deadline_at = now() - interval '1 s' WHERE tool_call_id = $1 RETURNING request_id",
      [tool_call_id],
    );
    const key = rows[0]?.request_id ?? "";
    const isDone = () => is("SELECT 1 FROM state.human_requests WHERE request_id = $1 AND status = 'expired'", key);
    return { key, agent_turn_id: turn.agent_turn_id, isDone };
  },
  "settle-batches": async (project) => {
    const boss = await of(project).sleeping("Plain", 1);
    const { batch_id } = boss.fork;
    await sql("UPDATE state.pmo_batches SET deadline_at = now() - interval '1 s' WHERE batch_id = $1", [batch_id]);
    const isDone = () => is("SELECT 1 FROM state.pmo_batches WHERE batch_id = $1 AND status = 'timeout'", batch_id);
    return { key: batch_id, agent_turn_id: boss.agent_turn_id, isDone };
  },
  "advance-plans": async (project) => {
    const { plan_run_id, root_turn_id } = await plansOf(() => kernel, project).launchPlan(planBody([wagon("a")]));
    await sql("UPDATE state.plan_runs SET deadline_at = now() - interval '1 s' WHERE plan_run_id = $1", [plan_run_id]);
    const isDone = () => is("SELECT 1 FROM state.plan_runs WHERE plan_run_id = $1 AND status = 'timeout'", plan_run_id);
    return { key: plan_run_id, agent_turn_id: root_turn_id, isDone };
  },
  "requeue-unstarted": async (project) => {
    const child = await of(project).launched("Plain");
    await claimInbox(kernel, { project_id: project, worker_targets: ["t1"], worker_id: "dead", limit: 16 });
    await age(child.agent_id);
    const { rows } = await sql("SELECT inbox_id FROM state.agent_inbox WHERE agent_turn_id = $1", [
      child.agent_turn_id,
    ]);
    const key = rows[0]?.inbox_id ?? "";
    const isDone = () => is("SELECT 1 FROM state.agent_inbox WHERE inbox_id = $1 AND status = 'pending'", key);
    return { key, agent_turn_id: child.agent_turn_id, isDone };
  },
  "lease-idle": async (project) => {
    const { running, accepted, deliver } = of(project);
    const turn = await running("Plain");
    const reuse = { target_strategy: "reuse", target_ref: turn.agent_id, instruction: "next" };
    const next = await accepted(await running("Plain"), reuse);
    await sql("UPDATE state.due SET is_held = true WHERE agent_turn_id = $1", [next.agent_turn_id]);
    await deliver(turn, "done");
    await sql("UPDATE state.due SET is_held = false WHERE agent_turn_id = $1", [next.agent_turn_id]);
    await age(turn.agent_id);
    const isDone = () =>
      is("SELECT 1 FROM state.agent_turns WHERE agent_turn_id = $1 AND status = 'dispatched'", next.agent_turn_id);
    return { key: turn.agent_id, agent_turn_id: next.agent_turn_id, isDone };
  },
  "ring-commands": async (project) => {
    const { turn, tool_call_id } = await asleepOn(project);
    await sql(
      "UPDATE state.turn_waiting_tools SET updated_at = created_at, created_at = created_at - interval '1 hour' WHERE tool_call_id = $1",
      [tool_call_id],
    );
    await sql("UPDATE state.turn_waiting_tools SET updated_at = created_at WHERE tool_call_id = $1", [tool_call_id]);
    const isDone = () =>
      is(
        "SELECT 1 FROM state.turn_waiting_tools WHERE tool_call_id = $1 AND updated_at > now() - interval '1 minute'",
        tool_call_id,
      );
    return { key: tool_call_id, agent_turn_id: turn.agent_turn_id, isDone };
  },
  "index-cards": async (project) => {
    const card = { type: "agent.message", author_id: "ann", content: { kind: "text" as const, text: "a word" } };
    const draft = draftCard(kernel, { project_id: project, card });
    await withUnit(kernel, (unit) => storeCards(unit, { project_id: project, drafts: [draft] }));
    const isDone = () => is("SELECT 1 FROM card_search WHERE card_id = $1", draft.card_id);
    return { key: draft.card_id, isDone };
  },
  "sweep-alarms": async (project) => {
    const { agent_turn_id: key, ...turn } = await of(project).running("Plain");
    await of(project).deliver({ ...turn, agent_turn_id: key }, "done");
    return { key, isDone: async () => !(await is("SELECT 1 FROM state.alarm_due WHERE subject_id = $1", key)) };
  },
  "delete-removed": async (project) => {
    const project_id = `removed-${project}-${Math.random().toString(36).slice(2)}`;
    await createProject(kernel, { project_id, title: project_id });
    await removeProject(kernel, project_id);
    await sql("UPDATE projects SET removed_at = now() - interval '1 hour' WHERE project_id = $1", [project_id]);
    const isDone = async () => !(await is("SELECT 1 FROM projects WHERE project_id = $1", project_id));
    return { key: project_id, owner: project_id, isDone };
  },
  "delete-runs": async (project) => {
    const { launched, run, deliver } = of(project);
    const child = await launched("Plain");
    await deliver(await run(child.agent_id, child.agent_turn_id, 1), "done");
    const key = await beginDeleting(kernel, { project_id: project, root_turn_id: child.root });
    return { key, isDone: () => is("SELECT 1 FROM state.deletions WHERE deletion_id = $1 AND phase = 'done'", key) };
  },
  "delete-artifacts": async (project) => {
    const key = await expireFile(kernel, project);
    return { key, isDone: async () => !(await is("SELECT 1 FROM resource.artifacts WHERE sha256 = $1", key)) };
  },
  "delete-uploads": async (project) => {
    const key = `blob-${project}-${Math.random()}`;
    await sql(
      "INSERT INTO resource.artifact_blobs (project_id, blob_id, touched_at) VALUES ($1, $2, now() - interval '1 hour')",
      [project, key],
    );
    const isDone = async () => !(await is("SELECT 1 FROM resource.artifact_blobs WHERE blob_id = $1", key));
    return { key, isDone };
  },
};

describe.each(Object.entries(rules) as [RowRule, Make][])("%s", (rule, make) => {
  test("a failing row is skipped, and the other project's row is done at once", async () => {
    const bad = await make(BAD);
    const good = await make(GOOD);
    await sql("INSERT INTO public.broken VALUES ($1)", [bad.key]);
    const { failed } = await watchOnce(kernel);
    expect(failed).toEqual([]);
    expect([await bad.isDone(), await good.isDone()]).toEqual([false, true]);
    const [first, ...others] = (await failures()).filter((one) => one.rule === rule);
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      project_id: bad.owner ?? BAD,
      row_key: bad.key,
      attempts: 1,
      error_code: "XX001",
      wait_s: 10,
    });
    expect(first?.last_error).toContain("this row is broken");

    await watchOnce(kernel);
    expect((await failures()).find((one) => one.rule === rule)).toMatchObject({ attempts: 1 });
    for (const wait_s of [20, 40, 80]) {
      await tryAgainNow();
      await watchOnce(kernel);
      expect((await failures()).find((one) => one.rule === rule)).toMatchObject({ wait_s });
    }
    await sql("DELETE FROM public.broken");
    await tryAgainNow();
    await watchOnce(kernel);
    expect(await bad.isDone()).toBe(true);
    expect((await failures()).filter((one) => one.rule === rule)).toEqual([]);
  });
  test("a row that is gone is forgotten", async () => {
    const bad = await make(BAD);
    await sql("INSERT INTO public.broken VALUES ($1)", [bad.key]);
    await watchOnce(kernel);
    expect((await failures()).filter((one) => one.rule === rule)).toHaveLength(1);
    await sql("DELETE FROM public.broken");
    const { agent_turn_id } = bad;
    if (agent_turn_id) await stopTurn(kernel, { project_id: BAD, agent_turn_id, scope: "turn", by: "test" });
    else if (rule === "delete-removed") await sql("DELETE FROM projects WHERE project_id = $1", [bad.key]);
    else if (rule === "sweep-alarms") await sql("DELETE FROM state.alarm_due WHERE subject_id = $1", [bad.key]);
    else if (rule === "delete-artifacts") await sql("DELETE FROM resource.artifacts WHERE sha256 = $1", [bad.key]);
    else if (rule === "delete-runs") await sql("DELETE FROM state.deletions WHERE deletion_id = $1", [bad.key]);
    else if (rule === "delete-uploads") await sql("DELETE FROM resource.artifact_blobs WHERE blob_id = $1", [bad.key]);
    else await sql("DELETE FROM cards WHERE card_id = $1", [bad.key]);
    await sql("UPDATE state.watchdog_failures SET next_try_at = now() - interval '1 hour'");
    await watchOnce(kernel);
    expect((await failures()).filter((one) => one.rule === rule)).toEqual([]);
  });
});

test("a full tick of bad rows delays the rows after them by one tick, and never again", async () => {
  const { turn } = await asleepOn(BAD);
  await sql(
    `INSERT INTO state.turn_waiting_tools (project_id, agent_id, agent_turn_id, turn_epoch, tool_call_id, tool_name, wait_status, deadline_at)
     SELECT $1, $2, $3, 1, 'tc_starve_' || i, 'slow', 'waiting', now() - interval '1 day' FROM generate_series(1, 200) i`,
    [BAD, turn.agent_id, turn.agent_turn_id],
  );
  await sql("INSERT INTO public.broken VALUES ('tc_starve_')");
  const first = await rules["expire-tools"](GOOD);
  await watchOnce(kernel);
  await watchOnce(kernel);
  expect(await first.isDone()).toBe(true);
  expect(await failures()).toHaveLength(200);
  await tryAgainNow();
  const second = await rules["expire-tools"](GOOD);
  await watchOnce(kernel);
  expect(await second.isDone()).toBe(true);
  await sql("DELETE FROM public.broken");
  await stopTurn(kernel, { project_id: BAD, agent_turn_id: turn.agent_turn_id, scope: "turn", by: "test" });
});

test("a locked row counts as failed, and the rest of its project is left for the tick; another project's row is done", async () => {
  const bad = [await rules["expire-tools"](BAD), await rules["expire-tools"](BAD)];
  const good = await rules["expire-tools"](GOOD);
  const holder = await kernel.test.pool.connect();
  try {
    await holder.query("BEGIN");
    await holder.query("SELECT 1 FROM state.agent_turns WHERE project_id = $1 FOR UPDATE", [BAD]);
    await expireTools(kernel);
    expect(await good.isDone()).toBe(true);
    expect(await failures()).toMatchObject([{ project_id: BAD, attempts: 1, error_code: "locked" }]);
  } finally {
    await holder.query("ROLLBACK");
    holder.release();
  }
  await tryAgainNow();
  await expireTools(kernel);
  for (const one of bad) expect(await one.isDone()).toBe(true);
  expect(await failures()).toEqual([]);
});

test("locked rows in many projects are waited for briefly, once; all others are done in the same tick", async () => {
  const held = ["held_1", "held_2", "held_3"];
  for (const project of held) {
    await seedProject(kernel, project, [{ name: "Plain", worker_target: "t1", allowed_tools: ["slow"] }]);
    await callsOf(() => kernel, project).saveTool("slow", { target_subject: "cmd.tool.slow", options: {} });
  }
  const kept = [];
  for (const project of held) kept.push(await rules["expire-tools"](project), await rules["take-over"](project));
  const free = [await rules["expire-tools"](GOOD), await rules["take-over"](GOOD)];
  const holder = await kernel.test.pool.connect();
  try {
    await holder.query("BEGIN");
    await holder.query("SELECT 1 FROM state.agent_turns WHERE project_id = ANY ($1) FOR UPDATE", [held]);
    expect(await watchOnce(kernel)).toMatchObject({ failed: [] });
    for (const one of free) expect(await one.isDone()).toBe(true);
    for (const one of kept) expect(await one.isDone()).toBe(false);
    const known = await failures();
    expect(known.map((one) => one.error_code)).toEqual(Array(6).fill("locked"));
  } finally {
    await holder.query("ROLLBACK");
    holder.release();
  }
  await tryAgainNow();
  await watchOnce(kernel);
  for (const one of kept) expect(await one.isDone()).toBe(true);
  expect(await failures()).toEqual([]);
});

test("a row is waited for as long as the rule allows, and less after one was locked", async () => {
  const rows = ["a", "b", "c"].map((key) => ({ project_id: `${BAD}_${key}`, row_key: key, is_failing: false }));
  const waits: unknown[] = [];
  await eachRow(kernel, { rule: "expire-tools", rows, isWhole: false }, (row, brief) =>
    withUnit(brief, async (unit) => {
      const [said] = await unit.query<{ ms: string }>("test_wait", "SELECT current_setting('lock_timeout') AS ms");
      waits.push(said?.ms);
      if (row.row_key === "b")
        throw Object.assign(new Error("canceling statement due to lock timeout"), { code: "55P03" });
      return true;
    }),
  );
  expect(waits).toEqual(["250ms", "250ms", "25ms"]);
});

test("a statement that takes too long is its row's fault too", async () => {
  const bad = await rules["expire-tools"](BAD);
  await sql("UPDATE state.turn_waiting_tools SET deadline_at = '2020-01-01' WHERE tool_call_id = $1", [bad.key]);
  const good = await rules["expire-tools"](GOOD);
  const tooSlow = Object.assign(new Error("canceling statement due to statement timeout"), { code: "57014" });
  let n = 0;
  const slow: Kernel = {
    ...kernel,
    probe: (point) => (point === "before-commit" && n++ === 0 ? Promise.reject(tooSlow) : undefined),
  };
  await expireTools(slow);
  expect([await bad.isDone(), await good.isDone()]).toEqual([false, true]);
  expect(await failures()).toMatchObject([{ row_key: bad.key, error_code: "too_slow" }]);
});

test("more rows of one project than a tick takes do not delay another's, however old they are", async () => {
  const { turn } = await asleepOn(BAD);
  await sql(
    `INSERT INTO state.turn_waiting_tools (project_id, agent_id, agent_turn_id, turn_epoch, tool_call_id, tool_name, wait_status, deadline_at)
     SELECT $1, $2, $3, 1, 'tc_many_' || i, 'slow', 'waiting', now() - interval '1 day' FROM generate_series(1, 300) i`,
    [BAD, turn.agent_id, turn.agent_turn_id],
  );
  const good = await rules["expire-tools"](GOOD);
  await expireTools(kernel);
  expect(await good.isDone()).toBe(true);
  const claimed = await rules["requeue-unstarted"](BAD);
  await sql(
    `INSERT INTO state.due (project_id, agent_turn_id, worker_target, claimed_by, claimed_at)
     SELECT d.project_id, 'turn_many_' || n, d.worker_target, d.claimed_by, d.claimed_at - interval '1 day'
     FROM state.due d, generate_series(1, 300) n WHERE d.agent_turn_id = $1`,
    [claimed.agent_turn_id],
  );
  const row = await rules["requeue-unstarted"](GOOD);
  await requeueUnstarted(kernel);
  expect(await row.isDone()).toBe(true);
  await sql("DELETE FROM state.due WHERE agent_turn_id LIKE 'turn_many_%'");
  for (const agent_turn_id of [turn.agent_turn_id, claimed.agent_turn_id ?? ""])
    await stopTurn(kernel, { project_id: BAD, agent_turn_id, scope: "turn", by: "test" });
});

test("a database that is down is no row's fault", async () => {
  await rules["take-over"](BAD);
  const away = Object.assign(new Error("connection lost"), { code: "08006" });
  const cut: Kernel = {
    ...kernel,
    probe: (point) => (point === "before-take-over" ? Promise.reject(away) : undefined),
  };
  const { failed } = await watchOnce(cut);
  expect(failed).toMatchObject([{ rule: "take-over", error: { code: "storage_error" } }]);
  expect(await failures()).toEqual([]);
});

test("health counts them and names the newest; those of a deleted project are deleted", async () => {
  await createProject(kernel, { project_id: "passing", title: "passing" });
  await sql(
    `INSERT INTO state.watchdog_failures (project_id, rule, row_key, error_code, last_error, last_seen_at, next_try_at)
     SELECT 'passing', 'take-over', 'turn_' || i, 'XX001', 'broken', now() - i * interval '1 s', now() + interval '1 hour' FROM generate_series(1, 30) i`,
  );
  const { status, watchdog } = await readHealth(kernel, "0");
  expect([status, watchdog.failing]).toEqual(["degraded", 30]);
  expect(watchdog.newest.map((one) => one.row_key)).toEqual(Array.from({ length: 20 }, (_, i) => `turn_${i + 1}`));
  expect(watchdog.newest[0]).toMatchObject({
    project_id: "passing",
    rule: "take-over",
    attempts: 1,
    error_code: "XX001",
  });
  await deleteProject(kernel, "passing");
  expect((await readHealth(kernel, "0")).watchdog).toEqual({ failing: 0, newest: [], overdue: 0 });
});
