// A result comes: applied once, in one transaction with the head (K8), by whichever worker has its row.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { callersOf, type Running } from "@/server/testing/callers";
import { type CalledTool, callsOf } from "@/server/testing/calls";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { framesOf, outputOf, turnOf } from "@/server/testing/turns";
import { rebuildHead } from "../reclaim/rebuild-head";
import { stopTurn } from "../reclaim/stop-turn";
import { takeOver } from "../reclaim/take-over";
import { readAgent } from "../roster/read-agents";
import { deferRow } from "./defer-row";
import { deliverTurn } from "./deliver-turn";
import { isFenced } from "./fenced";
import { suspendTurn } from "./suspend-turn";

let kernel: TestKernel;
const P = "resume";
const { running, run } = callersOf(() => kernel, P);
const { saveTool, call, report, rowOf, resume, claim, waitOf } = callsOf(() => kernel, P);
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Caller", allowed_tools: null }]);
  await saveTool("quick");
  await saveTool("slow", { options: { timeout_ms: 120_000 } });
});
beforeEach(() => {
  kernel.probe = undefined;
});
afterAll(() => kernel.close());

const head = async ({ agent_id }: Running) => (await readAgent(kernel, { project_id: P, agent_id })).head;
const resultsOf = async (turn: Running) =>
  (await outputOf(kernel, await turnOf(kernel, P, turn.agent_turn_id)))
    .filter((card) => card.type === "tool.result")
    .map((card) => card.tool_call_id);
/** A turn that has called the tools and sleeps. */
async function asleep(...tools: string[]): Promise<{ turn: Running; calls: CalledTool[] }> {
  const turn = await running("Caller");
  const calls: CalledTool[] = [];
  for (const tool of tools) calls.push(await call(turn, tool));
  const slept = await suspendTurn(kernel, { ...turn, tool_call_ids: calls.map((one) => one.tool_call_id) });
  expect(slept).toMatchObject({ status: "suspended" });
  return { turn, calls };
}
async function one(tool = "quick"): Promise<{ turn: Running; id: string }> {
  const { turn, calls } = await asleep(tool);
  return { turn, id: calls[0]?.tool_call_id ?? "" };
}

describe("151 K8 a result", () => {
  test("is applied and the turn continues, under a new epoch, held by the caller", async () => {
    const { turn, id } = await one();
    await report(id);
    const answer = await resume(turn, await rowOf(id), "w2");
    expect(answer).toMatchObject({ status: "running", turn_epoch: 2, waiting: [], results: [{ tool_call_id: id }] });
    expect(await head(turn)).toMatchObject({ status: "running", turn_epoch: 2, waiting_tool_count: 0 });
    expect(isFenced(await deliverTurn(kernel, { ...turn, status: "success", content: null }))).toBe(true);
    expect([(await rowOf(id))?.status, (await waitOf(id))?.wait_status]).toEqual(["consumed", "applied"]);
  });
  test("is consumed if it is replayed: the box grows once, the state stays", async () => {
    const { turn, id } = await one();
    await report(id);
    const row = await rowOf(id);
    const first = await resume(turn, row, "w2");
    expect(first).toMatchObject({ status: "running", turn_epoch: 2, results: [{ tool_call_id: id }] });
    const before = [await head(turn), await resultsOf(turn)];
    // Its own worker may have lost the answer; to anybody else it is over.
    expect(await resume(turn, row, "w2")).toEqual(first);
    expect(await resume(turn, row, "w3")).toMatchObject({ status: "ignored" });
    expect([await head(turn), await resultsOf(turn)]).toEqual(before);
  });
  test("interrupted before it is applied or before the commit, nothing is written, and the same row does both", async () => {
    const { turn, id } = await one();
    await report(id);
    for (const point of ["before-apply", "before-commit"]) {
      kernel.probe = (at) => {
        if (at === point) throw new Error(`cut at ${point}`);
      };
      await expect(resume(turn, await rowOf(id))).rejects.toThrow(`cut at ${point}`);
      kernel.probe = undefined;
      expect([await resultsOf(turn), (await head(turn)).status, (await waitOf(id))?.wait_status]).toEqual([
        [],
        "suspended",
        "received",
      ]);
    }
    expect((await resume(turn, await rowOf(id))).status).toBe("running");
    expect(await resultsOf(turn)).toEqual([id]);
  });
  test("claimed by three workers in turn is applied by one", async () => {
    const { turn, id } = await one();
    await report(id);
    const row = await rowOf(id);
    const answers = await Promise.all(["w1", "w2", "w3"].map((worker) => resume(turn, row, worker)));
    expect(answers.map((answer) => answer.status).sort()).toEqual(["ignored", "ignored", "running"]);
    expect(await resultsOf(turn)).toEqual([id]);
  });
});

describe("153 a result that comes too early or too late", () => {
  test("while its turn runs it is deferred; the turn reads it when it suspends, and stays running", async () => {
    const turn = await running("Caller");
    const { tool_call_id: id } = await call(turn, "quick");
    await report(id);
    expect((await claim()).map((row) => row.agent_turn_id)).toContain(turn.agent_turn_id);
    expect(await resume(turn, await rowOf(id))).toMatchObject({
      status: "deferred",
      reason: "turn_running_not_suspended",
    });
    const row = await rowOf(id);
    expect(row).toMatchObject({ status: "deferred", retry_count: 1, defer_reason: "turn_running_not_suspended" });
    const delay = Date.parse(row?.next_retry_at ?? "") - Date.now();
    expect([delay > 0, delay <= 1_000]).toEqual([true, true]);
    const slept = await suspendTurn(kernel, { ...turn, tool_call_ids: [id] });
    expect(slept).toMatchObject({ status: "running", waiting: [], results: [{ tool_call_id: id }] });
    expect(await head(turn)).toMatchObject({ status: "running", turn_epoch: 1 });
    expect([(await rowOf(id))?.status, await resultsOf(turn)]).toEqual(["consumed", [id]]);
  });
  test("if its turn is dispatched again it waits with it, and is read by the next worker", async () => {
    const turn = await running("Caller");
    const { tool_call_id: id } = await call(turn, "quick");
    await report(id);
    await kernel.test.pool.query(
      `UPDATE state.due d SET heartbeat_at = now() - interval '1 hour' FROM state.agent_turns t
     WHERE t.agent_id = $1 AND t.project_id = d.project_id AND t.agent_turn_id = d.agent_turn_id AND d.heartbeat_at IS NOT NULL`,
      [turn.agent_id],
    );
    expect(await takeOver(kernel)).toBe(1);
    expect([(await rowOf(id))?.turn_epoch, (await waitOf(id))?.turn_epoch]).toEqual([2, 2]);
    const next = await run(turn.agent_id, turn.agent_turn_id, 2, "w2");
    expect(await suspendTurn(kernel, { ...next, tool_call_ids: [id] })).toMatchObject({
      status: "running",
      results: [{ tool_call_id: id }],
    });
  });
  test("if its turn has ended it is consumed, and journaled as late", async () => {
    const { turn, id } = await one();
    await report(id);
    const row = await rowOf(id);
    await stopTurn(kernel, { project_id: P, agent_turn_id: turn.agent_turn_id, scope: "turn", by: "ann" });
    expect(await resume(turn, row)).toMatchObject({ status: "ignored" });
    expect((await rowOf(id))?.status).toBe("consumed");
    expect(await report(id, { status: "failed" })).toMatchObject({ status: "late" });
  });
  test("an agent whose row was changed by hand loses nothing: the turn goes on, and the agent says again what it does", async () => {
    const { turn, id } = await one();
    await report(id);
    await kernel.test.pool.query("UPDATE resource.project_agents SET active_turn = NULL WHERE agent_id = $1", [
      turn.agent_id,
    ]);
    expect(await rebuildHead(kernel, { project_id: P, agent_id: turn.agent_id })).toMatchObject({
      status: "suspended",
      turn_epoch: 1,
      active_agent_turn_id: turn.agent_turn_id,
    });
    expect((await resume(turn, await rowOf(id))).status).toBe("running");
    const other = await one();
    await report(other.id);
    await kernel.test.pool.query("UPDATE resource.project_agents SET active_turn = NULL WHERE agent_id = $1", [
      other.turn.agent_id,
    ]);
    expect((await resume(other.turn, await rowOf(other.id))).status).toBe("running");
    expect(await rebuildHead(kernel, { project_id: P, agent_id: other.turn.agent_id })).toMatchObject({
      status: "running",
      active_agent_turn_id: other.turn.agent_turn_id,
    });
  });
});

describe("155 a result that nobody waits for", () => {
  test("of a call that was never made, of an old epoch, of another turn: consumed, and nothing changes", async () => {
    const { turn, id } = await one();
    const before = await head(turn);
    const put = async (correlation: string, epoch: number) => {
      await kernel.test.pool.query(
        `INSERT INTO state.inbox_messages (project_id, inbox_id, agent_id, message_type, correlation_id, agent_turn_id, turn_epoch, worker_target, status)
         VALUES ($1, $2, $3, 'tool_result', $2, $4, $5, 't', 'processing')`,
        [P, correlation, turn.agent_id, turn.agent_turn_id, epoch],
      );
      return { inbox_id: correlation };
    };
    for (const row of [await put("never_called", 1), await put("old_epoch", 0)]) {
      expect(await resume(turn, row)).toMatchObject({ status: "ignored" });
      expect((await rowOf(row.inbox_id))?.status).toBe("consumed");
    }
    expect(await head(turn)).toEqual(before);
    await report(id);
    const late = (await framesOf(kernel, P, "rejected_late")).filter(
      (frame) => frame.agent_turn_id === turn.agent_turn_id,
    );
    expect(late.map((frame) => frame.what)).toEqual(["result of never_called", "result of old_epoch"]);
    await expect(resume({ agent_turn_id: "turn_other" }, await rowOf(id))).rejects.toThrow("no such row");
  });
});

test("157 a resume that fails for good keeps the one existing result", async () => {
  const { turn, id } = await one();
  await report(id);
  const row = await rowOf(id);
  await kernel.test.pool.query(
    "UPDATE state.inbox_messages SET status = 'processing', retry_count = 3 WHERE inbox_id = $1",
    [row?.inbox_id],
  );
  expect(await deferRow(kernel, { project_id: P, inbox_id: row?.inbox_id ?? "", reason: "cannot" })).toMatchObject({
    status: "consumed",
  });
  expect(await turnOf(kernel, P, turn.agent_turn_id)).toMatchObject({
    status: "failed",
    error_code: "resume_retry_exhausted",
  });
  const { rows } = await kernel.test.pool.query(
    "SELECT count(*)::int AS n FROM cards WHERE tenant_id = $1 AND tool_call_id = $2 AND metadata ->> 'type' = 'tool.result'",
    [P, id],
  );
  expect(rows[0].n).toBe(1);
});

describe("159 two calls", () => {
  test("after the first the turn is still suspended, after the second it continues; results are in the order of arrival", async () => {
    const { turn, calls } = await asleep("quick", "slow");
    const [quick, slow] = calls.map((each) => each.tool_call_id) as [string, string];
    expect(await head(turn)).toMatchObject({ waiting_tool_count: 2 });
    await report(slow);
    expect(await resume(turn, await rowOf(slow))).toMatchObject({
      status: "suspended",
      turn_epoch: 1,
      waiting: [quick],
    });
    expect(await head(turn)).toMatchObject({ status: "suspended", waiting_tool_count: 1, turn_epoch: 1 });
    await report(quick);
    expect(await resume(turn, await rowOf(quick))).toMatchObject({ status: "running", turn_epoch: 2 });
    expect(await resultsOf(turn)).toEqual([slow, quick]);
  });
  test("one of which times out and one of which is answered", async () => {
    const { turn, calls } = await asleep("quick", "quick");
    for (const { tool_call_id } of calls) await report(tool_call_id);
    const rows = await Promise.all(calls.map((each) => rowOf(each.tool_call_id)));
    const answers = await Promise.all(rows.map((row) => resume(turn, row, row?.inbox_id)));
    expect(answers.map((answer) => answer.status).sort()).toEqual(["running", "suspended"]);
    expect((await resultsOf(turn)).sort()).toEqual(calls.map((each) => each.tool_call_id).sort());
  });
});
