// Leases, epochs and ends, with the races lost on purpose.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { callersOf, type Running, toNew } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { countStatements } from "@/server/testing/statements";
import { turnOf } from "@/server/testing/turns";
import { getCards } from "../cardbox/get-cards";
import { readBox } from "../cardbox/read-box";
import { delegate } from "../delegation/delegate";
import { claimInbox } from "../inbox/claim-inbox";
import type { Kernel } from "../kernel";
import { leaseIdle } from "../reclaim/lease-idle";
import { requeueUnstarted } from "../reclaim/requeue-unstarted";
import { takeOver } from "../reclaim/take-over";
import { watchOnce } from "../reclaim/watch-turns";
import { readAgent } from "../roster/read-agents";
import { tunables } from "../tunables";
import { withUnit } from "../unit";
import { appendOutput } from "./append-output";
import { beatTurns } from "./beat-turns";
import { beginStep } from "./begin-step";
import { deliverTurn, deliverTurns } from "./deliver-turn";
import { endStep } from "./end-step";
import { endTurns } from "./end-turns";
import { isFenced } from "./fenced";
import { startTurn, startTurns } from "./start-turn";

let kernel: TestKernel;
const P = "proj_1";
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Boss" }, { name: "Plain" }, { name: "Once", max_attempts: 1 }]);
});
beforeEach(() => {
  kernel.probe = undefined;
});
afterAll(() => kernel.close());

const { launched, run, running, accepted, deliver, call } = callersOf(() => kernel, P);
const thought = (content: string) => ({ type: "agent.thought", content, author_id: "a" });
const head = async (agent_id: string) => (await readAgent(kernel, { project_id: P, agent_id })).head;
const turnRow = async (id: string) =>
  (
    await kernel.test.pool.query("SELECT * FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2", [
      P,
      id,
    ])
  ).rows[0];
const taskFrames = async (id: string) =>
  (
    await kernel.test.pool.query(
      "SELECT frame FROM state.journal WHERE project_id = $1 AND kind = 'task' AND entity_id = $2",
      [P, id],
    )
  ).rows;
const silence = (agent_id: string) =>
  kernel.test.pool.query(
    `UPDATE state.due d SET heartbeat_at = now() - interval '1 hour' FROM state.agent_turns t
     WHERE t.agent_id = $1 AND t.project_id = d.project_id AND t.agent_turn_id = d.agent_turn_id AND d.heartbeat_at IS NOT NULL`,
    [agent_id],
  );

describe("K2 epochs", () => {
  test("only the holder of the epoch writes; what comes late is journaled with who sent it", async () => {
    const turn = await running("Plain");
    const late = { ...turn, turn_epoch: turn.turn_epoch - 1, worker_id: "old" };
    expect(await appendOutput(kernel, { ...late, cards: [thought("late")] })).toEqual({
      fenced: true,
      current_epoch: 1,
    });
    const { rows } = await kernel.test.pool.query(
      "SELECT frame FROM state.journal WHERE project_id = $1 AND kind = 'rejected_late' ORDER BY event_id DESC LIMIT 1",
      [P],
    );
    expect(rows[0].frame).toMatchObject({
      agent_turn_id: turn.agent_turn_id,
      turn_epoch: 0,
      current_epoch: 1,
      what: "append",
      worker_id: "old",
    });
    expect((await readBox(kernel, { project_id: P, box_id: turn.turn.output_box_id ?? "" })).length).toBe(0);
  });
  test("two workers start one turn: one of them is fenced", async () => {
    const child = await launched("Plain");
    const key = { project_id: P, agent_turn_id: child.agent_turn_id, turn_epoch: child.turn_epoch ?? 0 };
    const answers = await Promise.all(["w1", "w2", "w3"].map((worker_id) => startTurn(kernel, { ...key, worker_id })));
    expect(answers.filter(isFenced)).toHaveLength(2);
  });
  test("a worker that has taken a turn over from itself starts and delivers it once, under the newer epoch", async () => {
    const child = await launched("Plain");
    const key = { project_id: P, agent_turn_id: child.agent_turn_id, turn_epoch: child.turn_epoch ?? 0 };
    const late = { ...key, turn_epoch: key.turn_epoch - 1 };
    const fenced = { fenced: true, current_epoch: key.turn_epoch };
    expect(await startTurns(kernel, { worker_id: "w", turns: [late, key] })).toMatchObject([
      fenced,
      { turn: { status: "running" } },
    ]);
    const said = (text: string) => ({ status: "success" as const, content: { kind: "text" as const, text } });
    const answers = await deliverTurns(kernel, [
      { ...late, ...said("late") },
      { ...key, ...said("now") },
    ]);
    expect(answers).toMatchObject([fenced, { deliverable_card_id: expect.any(String) }]);
    const { output_box_id } = await turnOf(kernel, P, key.agent_turn_id);
    expect(await readBox(kernel, { project_id: P, box_id: output_box_id ?? "" })).toMatchObject({ length: 1 });
  });
  test("a heartbeat returns the turns that the worker no longer holds", async () => {
    const mine = await running("Plain");
    const stale = { ...mine, turn_epoch: 7 };
    const key = ({ project_id, agent_turn_id, turn_epoch }: Running) => ({ project_id, agent_turn_id, turn_epoch });
    expect(await beatTurns(kernel, { worker_id: "w", turns: [key(mine)] })).toEqual([]);
    expect(await beatTurns(kernel, { worker_id: "w", turns: [key(mine), key(stale)] })).toEqual([key(stale)]);
    expect(await beatTurns(kernel, { worker_id: "other", turns: [key(mine)] })).toEqual([key(mine)]);
  });
});

test("a step whose end is reported twice, because the first answer was lost, counts once", async () => {
  const { agent_turn_id, ...turn } = await running("Plain");
  const key = { project_id: P, agent_turn_id, turn_epoch: turn.turn_epoch };
  const begun = await beginStep(kernel, {
    ...key,
    request: { card_ids: [], system: "", tools: [], tokens: 0, tools_tokens: 0 },
  });
  if (isFenced(begun)) throw new Error("it is running");
  const end = { ...key, step_id: begun.step_id, cards: [], usage: { input_tokens: 7, output_tokens: 2, cost: 0.5 } };
  for (const told of [end, end]) expect(isFenced(await endStep(kernel, told))).toBe(false);
  const row = await turnRow(agent_turn_id);
  expect([row.tokens_in, row.tokens_out, Number(row.cost)].map(Number)).toEqual([7, 2, 0.5]);
});

describe("K1, K5 one live turn per agent, one per output box", () => {
  test("an agent names one turn; a box that is not its own is not continued, whatever its row says", async () => {
    const turn = await running("Plain");
    const other = await running("Plain");
    const boss = await running("Boss");
    const again = ({ agent_id }: Running) =>
      accepted(boss, { target_strategy: "reuse", target_ref: agent_id, instruction: "again" });
    const [first, second] = [await again(turn), await again(other)];
    expect([first, second].map(({ status }) => status)).toEqual(["accepted", "accepted"]);
    expect((await turnRow(first.agent_turn_id)).status).toBe("queued");
    expect(await head(turn.agent_id)).toMatchObject({ active_agent_turn_id: turn.agent_turn_id });
    // As an import could say it: two agents that wrote into one box last.
    await deliver(turn, "done");
    const live = await turnRow(first.agent_turn_id);
    expect(live).toMatchObject({ status: "dispatched", output_box_id: turn.turn.output_box_id });
    await deliver(other, "done");
    await kernel.test.pool.query(
      "UPDATE resource.project_agents SET last_output_box_id = $3 WHERE project_id = $1 AND agent_id = $2",
      [P, other.agent_id, live.output_box_id],
    );
    await deliver(await run(other.agent_id, second.agent_turn_id, 2), "done");
    await kernel.test.pool.query(
      "UPDATE resource.project_agents SET last_output_box_id = $3 WHERE project_id = $1 AND agent_id = $2",
      [P, other.agent_id, live.output_box_id],
    );
    const third = await turnRow((await again(other)).agent_turn_id);
    expect(third.status).toBe("dispatched");
    expect(third.output_box_id).not.toBe(live.output_box_id);
  });
  test("enqueue at the same time as the end of the same agent's turn: no queued turn is left behind an idle head", async () => {
    const boss = await running("Boss");
    for (let round = 0; round < 12; round++) {
      const turn = await running("Plain");
      const [, next] = await Promise.all([
        deliver(turn, "done"),
        call(boss, { target_strategy: "reuse", target_ref: turn.agent_id, instruction: `round ${round}` }),
      ]);
      if (isFenced(next)) throw new Error("the caller was fenced");
      expect((await turnRow(next.agent_turn_id)).status).toBe("dispatched");
      expect(await head(turn.agent_id)).toMatchObject({
        status: "dispatched",
        active_agent_turn_id: next.agent_turn_id,
      });
    }
  });
});

describe("K6 a turn ends once, with its own deliverable", () => {
  test("delivered twice at once: one ends it, the other is fenced, one task frame", async () => {
    const turn = await running("Plain");
    const answers = await Promise.all([deliver(turn, "one"), deliver(turn, "two"), deliver(turn, "three")]);
    expect(answers.filter(isFenced)).toHaveLength(2);
    expect(await taskFrames(turn.agent_turn_id)).toHaveLength(1);
    expect(await head(turn.agent_id)).toMatchObject({ status: "idle", turn_epoch: 1 });
  });
  test("a character cut in two, and text that no database can store, do not keep a turn from ending", async () => {
    const cut = await running("Plain");
    await deliver(cut, `${"a".repeat(159)}\u{1f600} and on`);
    const ill = await running("Plain");
    await deliverTurn(kernel, {
      ...ill,
      project_id: P,
      status: "failed",
      content: null,
      error_code: "internal_error",
      error: "x\u0000y \ud83d",
    });
    expect(await turnOf(kernel, P, cut.agent_turn_id)).toMatchObject({
      status: "success",
      note: `${"a".repeat(159)}\u{1f600}`,
    });
    expect(await turnOf(kernel, P, ill.agent_turn_id)).toMatchObject({ status: "failed", error: "x\ufffdy \ufffd" });
  });
  test("ended by three callers that all found it alive and locked nothing: one ends it, the others leave nothing behind", async () => {
    const turn = await running("Plain");
    const queued = await accepted(await running("Boss"), {
      target_strategy: "reuse",
      target_ref: turn.agent_id,
      instruction: "next",
    });
    for (const id of [queued.agent_turn_id, turn.agent_turn_id]) {
      const row = await turnRow(id);
      const end = (status: "success" | "failed") =>
        withUnit(kernel, (unit) => endTurns(unit, { project_id: P, ends: [{ row, status, content: null }] }));
      const ends = await Promise.allSettled([end("success"), end("failed"), end("success")]);
      expect(ends.filter((one) => one.status === "fulfilled")).toHaveLength(1);
      await expect(end("failed")).rejects.toThrow("could not be ended");
      expect(await taskFrames(id)).toHaveLength(1);
      const { status, ended_at } = await turnRow(id);
      expect(ended_at).not.toBeNull();
      expect(await taskFrames(id)).toMatchObject([{ frame: { status } }]);
    }
  });
  test("reuse: the second turn has its own deliverable, in the same box, after the first's", async () => {
    const first = await running("Plain");
    await deliver(first, "first");
    const again = await accepted(await running("Boss"), {
      target_strategy: "reuse",
      target_ref: first.agent_id,
      instruction: "again",
    });
    const second = await run(again.agent_id, again.agent_turn_id, again.turn_epoch ?? 0);
    expect(second.turn.output_start).toBe(1);
    await deliverTurn(kernel, {
      ...second,
      status: "failed",
      content: null,
      error_code: "bad_request",
      error: "no idea",
    });
    const row = await turnRow(again.agent_turn_id);
    const box = await readBox(kernel, { project_id: P, box_id: row.output_box_id });
    expect(box.card_ids.at(-1)).toBe(row.deliverable_card_id);
    const cards = await getCards(kernel, { project_id: P, card_ids: box.card_ids });
    expect(cards.map((c) => [c.type, c.metadata.is_fallback ?? false])).toEqual([
      ["task.deliverable", false],
      ["task.deliverable", true],
    ]);
    expect(cards[1]?.metadata.agent_turn_id).toBe(again.agent_turn_id);
  });
  test("K4 nothing a worker writes reaches its context box", async () => {
    const turn = await running("Plain");
    const before = await readBox(kernel, { project_id: P, box_id: turn.turn.context_box_id });
    await appendOutput(kernel, { ...turn, cards: [thought("one"), thought("two")] });
    const step = await beginStep(kernel, {
      ...turn,
      request: {
        card_ids: before.card_ids,
        system: "s",
        tools: [],
        tokens: 0,
        tools_tokens: 0,
        bytes: Buffer.from('{"b":1,"a":2}'),
      },
    });
    if (isFenced(step)) throw new Error("fenced");
    await endStep(kernel, { ...turn, step_id: step.step_id, cards: [thought("three")], tool_call_ids: ["tc_1"] });
    await deliver(turn, "done");
    expect((await readBox(kernel, { project_id: P, box_id: turn.turn.context_box_id })).card_ids).toEqual(
      before.card_ids,
    );
    const { rows } = await kernel.test.pool.query(
      "SELECT request_bytes, request_sha256 FROM state.agent_steps WHERE step_id = $1",
      [step.step_id],
    );
    expect(rows[0].request_bytes.toString()).toBe('{"b":1,"a":2}');
  });
});

describe("reclaim", () => {
  test("a silent worker's turn is taken over under a new epoch, and continues from its output", async () => {
    const turn = await running("Plain");
    await appendOutput(kernel, { ...turn, cards: [thought("so far")] });
    await silence(turn.agent_id);
    const watchdogs = await Promise.all([takeOver(kernel), takeOver(kernel), takeOver(kernel)]);
    expect(watchdogs.reduce((a, b) => a + b)).toBe(1);
    expect(await turnRow(turn.agent_turn_id)).toMatchObject({
      status: "dispatched",
      turn_epoch: 2,
      attempt: 2,
      output_cards: 1,
    });
    expect(isFenced(await deliver(turn, "from the dead"))).toBe(true);
    const claimed = await claimInbox(kernel, { worker_targets: ["*"], worker_id: "w2", limit: 16, project_id: P });
    const row = claimed.find((c) => c.agent_turn_id === turn.agent_turn_id && c.turn_epoch === 2);
    expect(row).toBeDefined();
    const next = await run(turn.agent_id, turn.agent_turn_id, 2, "w2");
    await deliver(next, "taken over");
    expect(await taskFrames(turn.agent_turn_id)).toHaveLength(1);
  });
  test("a heartbeat between the list and the lock keeps the turn", async () => {
    const turn = await running("Plain");
    await silence(turn.agent_id);
    const { pool } = kernel.test;
    const beating: Kernel = { ...kernel, db: { ...kernel.db, pool: Object.create(pool) } };
    beating.db.pool.query = (async (...args: Parameters<typeof pool.query>) => {
      const listed = await pool.query(...args);
      await pool.query("UPDATE state.due SET heartbeat_at = now() WHERE agent_turn_id = $1", [turn.agent_turn_id]);
      return listed;
    }) as unknown as typeof pool.query;
    expect(await takeOver(beating)).toBe(0);
    expect(await head(turn.agent_id)).toMatchObject({ status: "running", turn_epoch: 1 });
  });
  test("attempts used up: failed with a fallback deliverable, epoch raised, the next turn leased", async () => {
    const turn = await running("Once");
    const next = await accepted(await running("Boss"), {
      target_strategy: "reuse",
      target_ref: turn.agent_id,
      instruction: "next",
    });
    await silence(turn.agent_id);
    expect(await takeOver(kernel)).toBe(1);
    expect(await turnRow(turn.agent_turn_id)).toMatchObject({
      status: "failed",
      error_code: "timeout_reaped_by_watchdog",
      turn_epoch: 2,
    });
    expect(await taskFrames(turn.agent_turn_id)).toHaveLength(1);
    expect(await head(turn.agent_id)).toMatchObject({
      status: "dispatched",
      active_agent_turn_id: next.agent_turn_id,
      turn_epoch: 3,
    });
  });
  test("claimed and never started: back to pending after startMs, with one more attempt", async () => {
    const child = await launched("Plain");
    await claimInbox(kernel, { worker_targets: ["*"], worker_id: "dead", limit: 16, project_id: P });
    const hasty: Kernel = { ...kernel, tunables: { ...tunables, startMs: -1 } };
    expect(await requeueUnstarted(hasty)).toBeGreaterThan(0);
    const claimed = await claimInbox(kernel, { worker_targets: ["*"], worker_id: "w", limit: 16, project_id: P });
    expect(claimed.find((c) => c.agent_turn_id === child.agent_turn_id)?.attempt).toBe(2);
  });
  test("an idle head with a queued turn is leased", async () => {
    const turn = await running("Plain");
    const queued = await accepted(await running("Boss"), {
      target_strategy: "reuse",
      target_ref: turn.agent_id,
      instruction: "q",
    });
    await deliver(turn, "done");
    await kernel.test.pool.query(
      `WITH a AS (UPDATE resource.project_agents SET active_turn = NULL WHERE agent_id = $1),
         t AS (UPDATE state.agent_turns SET status = 'queued' WHERE agent_turn_id = $2)
       UPDATE state.due SET queued_for = $1, created_at = now() - interval '1 minute' WHERE agent_turn_id = $2`,
      [turn.agent_id, queued.agent_turn_id],
    );
    expect(await leaseIdle(kernel)).toBe(1);
    expect((await turnRow(queued.agent_turn_id)).status).toBe("dispatched");
  });
  test("one rule that throws does not stop the others", async () => {
    const broken: Kernel = {
      ...kernel,
      doorbell: { ...kernel.doorbell, ring: () => Promise.reject(new Error("no bell")) },
      tunables: { ...tunables, pendingRingMs: -1 },
    };
    await launched("Plain");
    const report = await watchOnce(broken);
    expect(report.failed.map((f) => f.rule)).toEqual(["ring-waiting"]);
    expect(Object.keys(report.acted)).not.toContain("ring-waiting");
  });
});

test("statements of delegate do not grow with the box handed over", async () => {
  const counts: number[] = [];
  for (const size of [10, 1_000]) {
    const boss = await running("Boss");
    for (let at = 0; at < size; at += 500)
      await appendOutput(kernel, {
        ...boss,
        cards: Array.from({ length: Math.min(500, size - at) }, (_, i) => thought(`card ${at + i}`)),
      });
    const args = toNew("Plain", { context_box_id: boss.turn.output_box_id });
    const call = { project_id: P, caller: boss, tool: "delegate_async" as const, args };
    counts.push(await countStatements(kernel, (counting) => delegate(counting, call)));
  }
  expect(counts[0]).toBe(counts[1]);
  expect(counts[0]).toBeLessThanOrEqual(24);
});
