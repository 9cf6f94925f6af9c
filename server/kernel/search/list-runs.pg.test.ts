// The list of runs: what each stands at, its figures, which are those of its turns, and the order, filters and bounds of the list.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TurnFrame } from "@/server/contract/frame";
import { RunsQuery } from "@/server/contract/run-list";
import { RUN_TURNS_COUNTED, RUN_TURNS_SORTED, RUNS_SORTED } from "@/server/contract/run-order";
import { importRun } from "@/server/interop/importers/import-run";
import { alarmsOf } from "@/server/testing/alarms";
import { callersOf } from "@/server/testing/callers";
import { forksOf } from "@/server/testing/forks";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { countStatements } from "@/server/testing/statements";
import { muteAlarm } from "../alarms/mute-alarm";
import { launch } from "../launch/launch";
import { readSnapshot } from "../read-models/read-snapshot";
import { stopTurn } from "../reclaim/stop-turn";
import { listRuns } from "./list-runs";

let kernel: TestKernel;
const project_id = "p1";
const { launched, run } = callersOf(() => kernel, project_id);
const forks = forksOf(() => kernel, project_id);
const alarms = alarmsOf(() => kernel, project_id);

const list = (asked: Record<string, unknown> = {}, of = project_id, by = kernel) =>
  listRuns(by, { ...RunsQuery.parse(asked), project_id: of });
const lineOf = async (root_turn_id: string) => {
  const line = (await list()).items.find((one) => one.root_turn_id === root_turn_id);
  if (!line) throw new Error(`run ${root_turn_id} is not listed`);
  return line;
};
const sql = (text: string, values: unknown[]) => kernel.db.pool.query(text, values);

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, project_id, [{ name: "Boss", llm_config: { context_window: 1_000 } }]);
  for (const other of ["other", "many", "long", "deep"]) await seedProject(kernel, other, [{ name: "Boss" }]);
});
afterAll(() => kernel.close());

test("a run is running from the lease of its turn on, and ends as the turn that its person launched", async () => {
  const child = await launched("Boss");
  expect(await lineOf(child.root)).toMatchObject({
    status: "running",
    who: "ann",
    agent_id: "human_ann",
    source: "launch",
    launched_turn_id: child.agent_turn_id,
    turns: 2,
    live: 1,
    failed: 0,
    alarms: 0,
  });
  const turn = await run(child.agent_id, child.agent_turn_id, child.turn_epoch ?? 0);
  const atWork = await lineOf(child.root);
  expect(atWork).toMatchObject({ status: "running", live: 1 });
  expect(atWork).not.toHaveProperty("ended_at");
  for (const key of ["cost", "is_cut"]) expect(atWork).not.toHaveProperty(key);
  await forks.end(turn, "partial");
  expect(await lineOf(child.root)).toMatchObject({
    status: "partial",
    live: 0,
    ended_at: expect.stringMatching(/^\d{4}-.*Z$/),
  });
});

test("it is the worst of what people launched in it, and what agents launched below does not count", async () => {
  const boss = await forks.sleeping("Boss", 2);
  const { root_turn_id } = boss.turn;
  expect(await lineOf(root_turn_id)).toMatchObject({ status: "running", turns: 4, live: 3 });
  await forks.end(await forks.start(boss.fork.tasks[0]), "failed", null, "it broke");
  expect(await lineOf(root_turn_id)).toMatchObject({ status: "running", failed: 1, live: 2 });
  await forks.end(await forks.start(boss.fork.tasks[1]));
  expect(await lineOf(root_turn_id)).toMatchObject({ status: "waiting", live: 1 });
  const resumed = await forks.resumeBy(boss, boss.fork.tool_call_id);
  await forks.end({ ...boss, turn_epoch: resumed.turn_epoch });
  expect(await lineOf(root_turn_id)).toMatchObject({ status: "success", failed: 1, live: 0 });

  const args = { target_strategy: "new", target_ref: "Boss", instruction: "more" };
  const more = await launch(kernel, { project_id, tool: "delegate_async", user: "bob", args, into: root_turn_id });
  expect(await lineOf(root_turn_id)).toMatchObject({ status: "running", who: "ann" });
  if (!("agent_turn_id" in more.result)) throw new Error("a delegation was launched");
  await stopTurn(kernel, {
    project_id,
    agent_turn_id: more.result.agent_turn_id,
    scope: "subtree",
    reason: "not needed",
    by: "bob",
  });
  expect(await lineOf(root_turn_id)).toMatchObject({ status: "canceled", live: 0 });
});

test("a person's fork ends as its gate decides, whatever one branch did", async () => {
  const tasks = [1, 2].map((n) => ({ target_strategy: "new", target_ref: "Boss", instruction: `part ${n}` }));
  const { result, root_turn_id } = await launch(kernel, {
    ...{ project_id, tool: "fork_join", user: "ann" },
    args: { tasks, policy: { kind: "any" } },
  });
  if (!("tasks" in result)) throw new Error("a fork was launched");
  await forks.end(await forks.start(result.tasks[0]), "failed", null, "it broke");
  expect(await lineOf(root_turn_id)).toMatchObject({ status: "running", failed: 1 });
  expect(await lineOf(root_turn_id)).not.toHaveProperty("launched_turn_id");
  await forks.end(await forks.start(result.tasks[1]));
  expect(["success", "partial"]).toContain((await lineOf(root_turn_id)).status);
});

test("its figures are the sums over the turns of its snapshot, and alarms that are muted are left out", async () => {
  const boss = await forks.sleeping("Boss", 3);
  const { root_turn_id } = boss.turn;
  const [one, two] = boss.fork.tasks;
  const set =
    "UPDATE state.agent_turns SET tokens_in = $3, tokens_out = $4, cost = $5 WHERE project_id = $1 AND agent_turn_id = $2";
  await sql(set, [project_id, one?.agent_turn_id, 1_000, 20, 0.25]);
  await sql(set, [project_id, two?.agent_turn_id, 300, 4, null]);
  const { frames } = await readSnapshot(kernel, { project_id, root_turn_id });
  const all = frames.filter((frame): frame is TurnFrame => frame.kind === "turn");
  const turns = all.filter(({ is_human }) => !is_human);
  const sum = (of: (turn: TurnFrame) => number) => turns.reduce((total, turn) => total + of(turn), 0);
  expect(sum((turn) => turn.tokens_in)).toBe(1_300);
  expect(await lineOf(root_turn_id)).toMatchObject({
    turns: all.length,
    tokens: sum((turn) => turn.tokens_in + turn.tokens_out),
    cost: sum((turn) => turn.cost ?? 0),
    unpriced: sum((turn) => (turn.cost === undefined && turn.tokens_in + turn.tokens_out > 0 ? 1 : 0)),
    live: sum((turn) => (turn.ended_at === undefined ? 1 : 0)),
  });

  const branch = await forks.start(one);
  await alarms.send(branch, [], { tokens: 900 });
  await forks.end(branch);
  const [alarm] = await alarms.found("pressure");
  expect(await lineOf(root_turn_id)).toMatchObject({ alarms: 1 });
  expect((await list({ q: "is:alarm" })).items.map((line) => line.root_turn_id)).toEqual([root_turn_id]);
  expect((await list({ sort: "-alarms" })).items[0]).toMatchObject({ root_turn_id });
  await muteAlarm(kernel, {
    ...{ project_id, alarm_id: alarm?.alarm_id ?? "", scope: "this", reason: "small", person: "ann" },
  });
  expect(await lineOf(root_turn_id)).toMatchObject({ alarms: 0 });
});

test("newest first by pages, without gaps, and of its own project alone", async () => {
  const all = (await list()).items.map((line) => line.number);
  expect(all).toEqual([...all].sort((a, b) => b - a));
  const paged: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ limit: 2, ...(cursor && { cursor }) });
    paged.push(...page.items.map((line) => line.number));
    cursor = page.next_cursor;
  } while (cursor);
  expect(paged).toEqual(all);
  expect(await list({}, "other")).toMatchObject({ items: [], is_partial: false });
  const first = await list({ limit: 2 });
  await expect(list({ cursor: first.next_cursor }, "other")).rejects.toMatchObject({ code: "bad_request" });
  await expect(list({}, "none")).rejects.toMatchObject({ code: "not_found" });
});

test("by status, by query, and what cannot be read is refused with its column", async () => {
  const all = (await list()).items;
  for (const status of ["waiting", "canceled", "partial"])
    expect((await list({ status })).items.map((line) => line.number)).toEqual(
      all.filter((line) => line.status === status).map((line) => line.number),
    );
  expect((await list({ q: `run:${all[0]?.number}` })).items).toEqual(all.slice(0, 1));
  expect((await list({ q: all[1]?.root_turn_id })).items).toEqual(all.slice(1, 2));
  expect((await list({ q: "kind:turn" })).items).toEqual([]);
  await expect(list({ q: "tokens:>5" })).rejects.toThrow(/^q: column 1: "tokens" does not apply to runs/);
  expect(RunsQuery.safeParse({ sort: "colour" }).success).toBe(false);
  expect(RunsQuery.safeParse({ limit: 51 }).success).toBe(false);
});

test("in another order by pages; what is not known comes last both ways, and a cursor holds for its order", async () => {
  const costs = async (sort: string) => {
    const found: (number | undefined)[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ sort, limit: 2, ...(cursor && { cursor }) });
      expect(page.is_partial).toBe(false);
      found.push(...page.items.map((line) => line.cost));
      cursor = page.next_cursor;
    } while (cursor);
    return found;
  };
  const n = (await list()).items.length;
  expect(await costs("cost")).toEqual([0.25, ...Array(n - 1).fill(undefined)]);
  expect(await costs("-cost")).toEqual([0.25, ...Array(n - 1).fill(undefined)]);
  const tokens = (await list({ sort: "-tokens" })).items.map((line) => line.tokens);
  expect(tokens).toEqual([...tokens].sort((a, b) => b - a));
  const begun = (await list({ sort: "begun" })).items.map((line) => line.number);
  expect(begun).toEqual([...begun].sort((a, b) => a - b));
  const { next_cursor } = await list({ sort: "title", limit: 1 });
  for (const asked of [{ sort: "-title" }, { sort: "begun" }])
    await expect(list({ ...asked, cursor: next_cursor })).rejects.toThrow(/^cursor: not a cursor of this list/);
  await expect(list({ sort: "title", cursor: next_cursor }, "other")).rejects.toThrow(/^cursor/);
  await expect(list({ sort: "title", cursor: "bm9uc2Vuc2U" })).rejects.toThrow(/^cursor/);
});

test("how long an imported log without times took is not known, and comes last both ways", async () => {
  const message = (name: string, content: string) => ({ role: "assistant", name, content });
  const history = [message("Searcher", "Where is it?"), message("Reader", "Here it is.")];
  const log = { history, question: "Where is it?", ground_truth: "Here", mistake_agent: "Reader", mistake_step: "1" };
  const bytes = Buffer.from(JSON.stringify({ ...log, mistake_reason: "It was there." }));
  const run = await importRun(kernel, { project_id, format: "who-and-when", bytes, name: "told.json" });
  expect(await lineOf(run.root_turn_id)).toMatchObject({ source: "import", is_untimed: true });
  for (const sort of ["duration", "-duration"])
    expect((await list({ sort })).items.map((line) => line.is_untimed).indexOf(true)).toBe(
      (await list()).items.length - 1,
    );
});

const COPY = (columns: string) => `
  INSERT INTO state.agent_turns (project_id, agent_turn_id, agent_id, turn_epoch, status, root_turn_id, parent_turn_id, primitive, depth,
    trace_id, profile_box_id, profile_name, worker_target, is_human, context_box_id, headcode, title, created_at)
  SELECT t.project_id, ${columns}, 'ui_action', 1, t.trace_id, t.profile_box_id, t.profile_name, t.worker_target, false,
    t.context_box_id, '1X', 'copy', t.created_at + n * interval '1 ms'
  FROM state.agent_turns t, generate_series(1, $2::int) n WHERE t.project_id = $1 AND NOT t.is_human LIMIT $2`;

test("another order is of the newest runs only and says so, and the statements do not grow with the page", async () => {
  const { launched: launchedIn } = callersOf(() => kernel, "many");
  await launchedIn("Boss");
  const few = await countStatements(kernel, (counting) => list({}, "many", counting as TestKernel));
  const n = RUNS_SORTED + 20;
  await sql(
    `INSERT INTO state.runs (project_id, root_turn_id, number, title, source, created_at)
     SELECT $1, 'turn_root_' || n, 1000 + n, 'Run ' || n, 'launch', now() + n * interval '1 ms' FROM generate_series(1, $2::int) n`,
    ["many", n],
  );
  await sql(COPY("'turn_root_' || n, t.agent_id, 1, 'queued', 'turn_root_' || n, NULL"), ["many", n]);
  await sql("ANALYZE state.agent_turns, state.runs", []);
  const page = await list({}, "many");
  expect(page.items).toHaveLength(50);
  expect(page.items[0]).toMatchObject({ number: 1000 + n, status: "waiting", turns: 1 });
  const sorted = await list({ sort: "title" }, "many");
  expect(sorted).toMatchObject({ is_partial: true, looked_at: RUNS_SORTED });
  expect(sorted.items).toHaveLength(50);
  const none = await list({ status: "failed" }, "many");
  expect(none).toMatchObject({ items: [], is_partial: true, looked_at: RUNS_SORTED });
  const rest = await list({ status: "failed", cursor: none.next_cursor }, "many");
  expect(rest).toEqual({ items: [], is_partial: false, live_cursor: rest.live_cursor });
  const waiting = await list({ status: "waiting" }, "many");
  const next = await list({ status: "waiting", cursor: waiting.next_cursor }, "many");
  expect(next.items[0]?.number).toBe(1000 + n - 50);

  expect(few).toBeLessThanOrEqual(9);
  for (const asked of [{}, { limit: 1 }, { sort: "-tokens" }, { status: "failed" }, { q: "run" }])
    expect(
      await countStatements(kernel, (counting) => list(asked, "many", counting as TestKernel)),
    ).toBeLessThanOrEqual(9);
});

test("of long runs another order is of fewer, and by status the cursor goes on behind those that were looked at", async () => {
  await callersOf(() => kernel, "long").launched("Boss");
  const [runs, long] = [60, 52];
  await sql(
    `INSERT INTO state.runs (project_id, root_turn_id, number, title, source, created_at)
     SELECT $1, 'turn_root_' || n, 1000 + n, 'Run ' || n, 'launch', now() + n * interval '1 ms' FROM generate_series(1, $2::int) n`,
    ["long", runs],
  );
  // The newest 52 have one turn more together than are summed, so the last of them is left out.
  const turns = RUN_TURNS_SORTED + 1;
  const root = `'turn_root_' || (${runs} - n % ${long})`;
  await sql(COPY(`'turn_long_' || n, t.agent_id, 1, 'queued', ${root}, NULL`), ["long", turns]);
  await sql("ANALYZE state.agent_turns, state.runs", []);
  const sorted = await list({ sort: "-turns" }, "long");
  expect(sorted).toMatchObject({ is_partial: true, looked_at: long - 1 });
  expect(sorted.items).toHaveLength(50);
  const none = await list({ status: "failed" }, "long");
  expect(none).toMatchObject({ items: [], is_partial: true, looked_at: long - 1 });
  const waiting = await list({ status: "waiting" }, "long");
  expect(waiting.items.map(({ number }) => number)).toEqual(Array.from({ length: 50 }, (_, i) => 1000 + runs - i));
  const rest = await list({ status: "waiting", cursor: none.next_cursor }, "long");
  expect(rest.items[0]).toMatchObject({ number: 1000 + runs - long + 1, turns: Math.floor(turns / long) });

  // One of them has as many as are counted, and those of a page are listed all the same.
  await sql("UPDATE state.agent_turns SET root_turn_id = $2 WHERE project_id = $1 AND headcode = '1X'", [
    "long",
    `turn_root_${runs}`,
  ]);
  expect(await list({ sort: "-turns" }, "long")).toMatchObject({ is_partial: false });
});

test("of a run with more turns than are counted the newest are, it says so, and still knows what its person launched", async () => {
  const deep = callersOf(() => kernel, "deep");
  const boss = await deep.running("Boss");
  await forksOf(() => kernel, "deep").end(boss, "failed", null, "it broke");
  const { root_turn_id } = boss.turn;
  await sql(
    COPY(`'turn_copy_' || n, t.agent_id, 1, 'queued', t.root_turn_id, '${boss.agent_turn_id}'`).replace(
      "'ui_action', 1",
      "'delegate_async', 2",
    ),
    ["deep", RUN_TURNS_COUNTED],
  );
  const [line] = (await list({}, "deep")).items;
  expect(line).toMatchObject({ root_turn_id, turns: RUN_TURNS_COUNTED, is_cut: true, status: "waiting" });
  await sql(
    "UPDATE state.agent_turns SET ended_at = now(), status = 'success', output_box_id = context_box_id, deliverable_card_id = 'd' WHERE project_id = $1 AND ended_at IS NULL",
    ["deep"],
  );
  expect((await list({}, "deep")).items[0]).toMatchObject({ is_cut: true, status: "failed" });
});
