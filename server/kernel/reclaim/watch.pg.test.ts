// The watchdog's rules, one by one: what each acts on, and above all what it leaves alone.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { callersOf, type Running } from "@/server/testing/callers";
import { callsOf } from "@/server/testing/calls";
import { forksOf } from "@/server/testing/forks";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { turnOf } from "@/server/testing/turns";
import { claimInbox } from "../inbox/claim-inbox";
import type { Kernel, Ring } from "../kernel";
import { readAgent } from "../roster/read-agents";
import { tunables } from "../tunables";
import { beatTurn } from "../turns/beat-turn";
import { registerWorker } from "../turns/register-worker";
import { startTurn } from "../turns/start-turn";
import { suspendTurn } from "../turns/suspend-turn";
import { turnFrame } from "../turns/turn-row";
import { withUnit } from "../unit";
import { letGo } from "./let-go";
import { rebuildHead } from "./rebuild-head";
import { requeueUnstarted } from "./requeue-unstarted";
import { ringWaiting } from "./ring-waiting";
import { takeOver } from "./take-over";
import { watchOnce } from "./watch-turns";

let kernel: TestKernel;
const P = "watch";
const { running, launched, run, accepted, deliver } = callersOf(() => kernel, P);
const { saveTool, call, report, rowOf, resume } = callsOf(() => kernel, P);
const { sleeping, start, end, resumeBy } = forksOf(() => kernel, P);
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [
    { name: "Plain", worker_target: "t1", allowed_tools: null },
    { name: "Other", worker_target: "t2" },
  ]);
  await saveTool("slow", { options: { timeout_ms: 7_200_000 } });
});
beforeEach(async () => {
  kernel.probe = undefined;
  await kernel.test.pool.query("DELETE FROM state.due WHERE queued_for IS NULL");
  await kernel.test.pool.query("UPDATE state.inbox_messages SET status = 'consumed' WHERE status <> 'consumed'");
});
afterAll(() => kernel.close());

const head = async (agent_id: string) => (await readAgent(kernel, { project_id: P, agent_id })).head;
const claim = (worker_id = "w") =>
  claimInbox(kernel, { project_id: P, worker_targets: ["t1", "t2"], worker_id, limit: 16 });
const ago = (agent_id: string, seconds: number) =>
  kernel.test.pool.query(
    `WITH t AS (UPDATE state.agent_turns SET leased_at = leased_at - $2 * interval '1 s', heartbeat_at = heartbeat_at - $2 * interval '1 s'
       WHERE agent_id = $1 AND ended_at IS NULL),
     d AS (UPDATE state.due d SET created_at = d.created_at - $2 * interval '1 s', next_retry_at = d.next_retry_at - $2 * interval '1 s',
       claimed_at = d.claimed_at - $2 * interval '1 s', heartbeat_at = d.heartbeat_at - $2 * interval '1 s'
       FROM state.agent_turns t WHERE t.agent_id = $1 AND t.project_id = d.project_id AND t.agent_turn_id = d.agent_turn_id)
     UPDATE state.inbox_messages SET created_at = created_at - $2 * interval '1 s', next_retry_at = next_retry_at - $2 * interval '1 s',
       processed_at = processed_at - $2 * interval '1 s' WHERE agent_id = $1`,
    [agent_id, seconds],
  );
const rungBy = async (watching: Kernel, act: (kernel: Kernel) => Promise<unknown>): Promise<Ring[]> => {
  const rung: Ring[] = [];
  await act({ ...watching, doorbell: { ...watching.doorbell, ring: async (rings) => void rung.push(...rings) } });
  return rung;
};

describe("137 dispatched and never claimed", () => {
  test("it is rung for again, keeps its epoch and its row, and is run by the next worker", async () => {
    const child = await launched("Plain");
    await ago(child.agent_id, 31);
    for (let round = 0; round < 3; round++) {
      const rung = await rungBy(kernel, watchOnce);
      expect(rung).toContainEqual({ kind: "wakeup", project_id: P, worker_target: "t1" });
    }
    expect(await head(child.agent_id)).toMatchObject({ status: "dispatched", turn_epoch: 1 });
    expect((await claim()).map((row) => [row.agent_turn_id, row.attempt])).toEqual([[child.agent_turn_id, 1]]);
    await deliver(await run(child.agent_id, child.agent_turn_id, 1), "at last");
    expect(await claim()).toEqual([]);
  });
});

describe("135 a message that was claimed but not applied", () => {
  /** The result of a branch, claimed by a worker: its row, and how long ago that worker was last heard of. */
  const claimedResult = async (worker_id: string, seen_s?: number) => {
    const boss = await sleeping("Plain", 1);
    await end(await start(boss.fork.tasks[0]));
    const isIts = (row: { agent_turn_id: string }) => row.agent_turn_id === boss.agent_turn_id;
    expect((await claim(worker_id)).filter(isIts)).toHaveLength(1);
    if (seen_s !== undefined) {
      await registerWorker(kernel, { worker_id, targets: ["t1"], version: "", project_id: P });
      await kernel.test.pool.query(
        "UPDATE state.workers SET seen_at = now() - $2 * interval '1 s' WHERE worker_id = $1",
        [worker_id, seen_s],
      );
    }
    return { boss, isIts };
  };
  test.each([
    ["that nobody knows", "stranger", undefined],
    ["that claimed and never came again", "silent", 61],
  ])(
    "of a worker %s is pending again after leaseMs; applied once, however often it is claimed",
    async (_what, worker_id, seen_s) => {
      const { boss, isIts } = await claimedResult(worker_id, seen_s);
      await ago(boss.agent_id, 59);
      expect(await requeueUnstarted(kernel)).toBe(0);
      await ago(boss.agent_id, 2);
      const swept = await Promise.all([requeueUnstarted(kernel), requeueUnstarted(kernel)]);
      expect(swept.reduce((a, b) => a + b)).toBe(1);
      expect((await claim("w2")).filter(isIts)).toMatchObject([{ attempt: 2 }]);
      expect((await resumeBy(boss, boss.fork.tool_call_id, "w2")).status).toBe("running");
      expect((await resumeBy(boss, boss.fork.tool_call_id, "w")).status).toBe("ignored");
    },
  );
  test("of a live worker stays with it, and is pending again after processingMsMax", async () => {
    const { boss, isIts } = await claimedResult("there", 5);
    await ago(boss.agent_id, 299);
    expect(await requeueUnstarted(kernel)).toBe(0);
    await ago(boss.agent_id, 2);
    expect(await requeueUnstarted(kernel)).toBe(1);
    expect((await claim("w2")).filter(isIts)).toHaveLength(1);
  });
});

describe("139 suspended for an hour", () => {
  test("with time left nobody touches it", async () => {
    const turn = await running("Plain");
    const { tool_call_id } = await call(turn, "slow");
    await suspendTurn(kernel, { ...turn, tool_call_ids: [tool_call_id] });
    await ago(turn.agent_id, 3_600);
    const before = await head(turn.agent_id);
    const report = await watchOnce(kernel);
    expect(report.failed).toEqual([]);
    expect(await head(turn.agent_id)).toEqual(before);
    expect(before).toMatchObject({ status: "suspended", turn_epoch: 1 });
  });
  test("past its tool's deadline it gets a timeout for that call, and continues", async () => {
    const turn = await running("Plain");
    const { tool_call_id } = await call(turn, "slow");
    await suspendTurn(kernel, { ...turn, tool_call_ids: [tool_call_id] });
    await kernel.test.pool.query(
      "UPDATE state.turn_waiting_tools SET deadline_at = now() - interval '1 s' WHERE tool_call_id = $1",
      [tool_call_id],
    );
    const reports = await Promise.all([watchOnce(kernel), watchOnce(kernel)]);
    expect(reports.map((one) => one.acted["expire-tools"] ?? 0).reduce((a, b) => a + b)).toBe(1);
    const resumed = await resume(turn, await rowOf(tool_call_id, "timeout"));
    expect(resumed).toMatchObject({ status: "running", turn_epoch: 2 });
    expect(resumed.results[0]?.card.content).toMatchObject({ status: "timeout", error: { code: "tool_timeout" } });
  });
});

describe("141 rings", () => {
  test("one target whose ring throws does not silence the others", async () => {
    const a = await launched("Plain");
    const b = await launched("Other");
    await ago(a.agent_id, 60);
    await ago(b.agent_id, 60);
    for (const broken of ["t1", "t2"]) {
      const rung: string[] = [];
      const deaf: Kernel = {
        ...kernel,
        doorbell: {
          ...kernel.doorbell,
          ring: async ([ring]) => {
            if (ring?.kind !== "wakeup") return;
            if (ring.worker_target === broken) throw new Error("no bell");
            rung.push(ring.worker_target);
          },
        },
      };
      await expect(ringWaiting(deaf)).rejects.toThrow("no bell");
      expect(rung).toEqual([broken === "t1" ? "t2" : "t1"]);
    }
  });
  test("175 a lost ring fails no unit that is committed", async () => {
    const deaf: Kernel = {
      ...kernel,
      doorbell: { ...kernel.doorbell, ring: () => Promise.reject(new Error("no bell")) },
    };
    const byDeaf = callersOf(() => deaf, P);
    const child = await byDeaf.launched("Plain");
    const turn = await byDeaf.run(child.agent_id, child.agent_turn_id, 1);
    const next = await byDeaf.accepted(turn, {
      target_strategy: "reuse",
      target_ref: child.agent_id,
      instruction: "next",
    });
    expect(await byDeaf.deliver(turn, "done")).toMatchObject({ deliverable_card_id: expect.any(String) });
    expect((await claim()).map((row) => row.agent_turn_id)).toEqual([next.agent_turn_id]);
  });
});

describe("197 between a watchdog's read and its action", () => {
  /** What it listed changes before it acts. */
  const meanwhile = (act: () => Promise<unknown>): Kernel => {
    const { pool } = kernel.test;
    const late: Kernel = { ...kernel, db: { ...kernel.db, pool: Object.create(pool) } };
    late.db.pool.query = (async (...args: Parameters<typeof pool.query>) => {
      const listed = await pool.query(...args);
      await act();
      return listed;
    }) as unknown as typeof pool.query;
    return late;
  };
  test("a turn that has started meanwhile is not put back", async () => {
    const child = await launched("Plain");
    await claim();
    await startTurn(kernel, { project_id: P, agent_turn_id: child.agent_turn_id, turn_epoch: 1, worker_id: "w" });
    const hasty: Kernel = { ...kernel, tunables: { ...tunables, startMs: -1 } };
    expect(await requeueUnstarted(hasty)).toBe(0);
    // However long ago it was claimed.
    await kernel.test.pool.query(
      "UPDATE state.due SET claimed_at = now() - interval '1 hour' WHERE agent_turn_id = $1",
      [child.agent_turn_id],
    );
    expect(await requeueUnstarted(hasty)).toBe(0);
    expect(await head(child.agent_id)).toMatchObject({ status: "running", turn_epoch: 1 });
  });
  test("a silent turn that has ended, or is suspended, is not taken over", async () => {
    const ended = await running("Plain");
    const asleep = await running("Plain");
    const { tool_call_id } = await call(asleep, "slow");
    await ago(ended.agent_id, 120);
    await ago(asleep.agent_id, 120);
    let isDone = false;
    const late = meanwhile(async () => {
      if (isDone) return;
      isDone = true;
      await deliver(ended, "done");
      await suspendTurn(kernel, { ...asleep, tool_call_ids: [tool_call_id] });
    });
    expect(await takeOver(late)).toBe(0);
    expect(await turnOf(kernel, P, ended.agent_turn_id)).toMatchObject({ status: "success", turn_epoch: 1 });
    expect(await head(asleep.agent_id)).toMatchObject({ status: "suspended", turn_epoch: 1 });
  });
  test("a silent turn with a heartbeat after it was listed keeps its worker", async () => {
    const slow = await running("Plain");
    await ago(slow.agent_id, 120);
    let isDone = false;
    const late = meanwhile(async () => {
      if (isDone) return;
      isDone = true;
      await beatTurn(kernel, { ...slow, worker_id: "w" });
    });
    expect(await takeOver(late)).toBe(0);
    expect(isDone).toBe(true);
    expect(await head(slow.agent_id)).toMatchObject({ status: "running", turn_epoch: slow.turn_epoch });
  });
});

describe("a lost head", () => {
  const lose = ({ agent_id }: Pick<Running, "agent_id">) =>
    kernel.test.pool.query(
      "UPDATE resource.project_agents SET active_turn = NULL, turn_epoch = 0 WHERE project_id = $1 AND agent_id = $2",
      [P, agent_id],
    );
  const rebuild = ({ agent_id }: Pick<Running, "agent_id">) => rebuildHead(kernel, { project_id: P, agent_id });
  const was = async ({ agent_id }: Pick<Running, "agent_id">) =>
    (
      await kernel.test.pool.query("SELECT * FROM state.agent_state_head WHERE project_id = $1 AND agent_id = $2", [
        P,
        agent_id,
      ])
    ).rows[0];
  const same = [
    "status",
    "turn_epoch",
    "active_agent_turn_id",
    "context_box_id",
    "output_box_id",
    "waiting_tool_count",
    "resume_deadline",
    "lease_holder",
  ];

  test("is rebuilt as it was: dispatched, running, suspended", async () => {
    const child = await launched("Plain");
    const turn = await running("Plain");
    const sleeper = await running("Plain");
    const { tool_call_id } = await call(sleeper, "slow");
    await suspendTurn(kernel, { ...sleeper, tool_call_ids: [tool_call_id] });
    for (const agent of [child, turn, sleeper]) {
      const before = await was(agent);
      await lose(agent);
      expect(await rebuild(agent)).toMatchObject({ status: before.status, turn_epoch: before.turn_epoch });
      const after = await was(agent);
      expect(same.map((key) => [key, after[key]])).toEqual(same.map((key) => [key, before[key]]));
    }
    await deliver(turn, "done");
    await report(tool_call_id);
    expect((await resume(sleeper, await rowOf(tool_call_id))).status).toBe("running");
  });
  test("is rebuilt idle, with its epoch, so that no older epoch is accepted; and queued turns start", async () => {
    const turn = await running("Plain");
    const queued = await accepted(await running("Plain"), {
      target_strategy: "reuse",
      target_ref: turn.agent_id,
      instruction: "next",
    });
    await kernel.test.pool.query("UPDATE state.due SET is_held = true WHERE agent_turn_id = $1", [
      queued.agent_turn_id,
    ]);
    await deliver(turn, "done");
    await kernel.test.pool.query("UPDATE state.due SET is_held = false WHERE agent_turn_id = $1", [
      queued.agent_turn_id,
    ]);
    await lose(turn);
    expect(await rebuild(turn)).toMatchObject({
      status: "dispatched",
      turn_epoch: 2,
      active_agent_turn_id: queued.agent_turn_id,
    });
  });
  test("is rebuilt with an epoch that only the journal remembers: the agent's own, not another agent's", async () => {
    const [turn, neighbour] = [await running("Plain"), await running("Plain")];
    await withUnit(kernel, async (unit) => {
      const told = (row: Running, turn_epoch: number) => unit.frame(P, { ...turnFrame(row.turn), turn_epoch });
      told(neighbour, 40);
      told(turn, 9);
      told(turn, 3);
    });
    await deliver(turn, "done");
    await lose(turn);
    expect(await rebuild(turn)).toMatchObject({ status: "idle", turn_epoch: 9 });
  });
  test("gets back what is due of its turns: one that ran is taken over, one behind it waits", async () => {
    const turn = await running("Plain");
    const next = await accepted(turn, { target_strategy: "reuse", target_ref: turn.agent_id, instruction: "next" });
    const ids = [turn.agent_turn_id, next.agent_turn_id];
    const due = async () =>
      (
        await kernel.test.pool.query(
          `SELECT agent_turn_id, turn_epoch, worker_target, needs_own_worker, run_key, created_at, attempt, queued_for, is_held,
             claimed_by, heartbeat_at IS NOT NULL AS runs FROM state.due WHERE agent_turn_id = ANY ($1) ORDER BY agent_turn_id`,
          [ids],
        )
      ).rows;
    const before = await due();
    expect(before).toHaveLength(2);
    await kernel.test.pool.query("DELETE FROM state.due WHERE agent_turn_id = ANY ($1)", [ids]);
    await ago(turn.agent_id, 76);
    expect(await takeOver(kernel)).toBe(0);
    expect(await rebuild(turn)).toMatchObject({ status: "running", turn_epoch: 1, due_restored: 2 });
    expect(await due()).toEqual(before);
    expect(await takeOver(kernel)).toBe(1);
    expect(await head(turn.agent_id)).toMatchObject({ status: "dispatched", turn_epoch: 2 });
    await deliver(await run(turn.agent_id, turn.agent_turn_id, 2, "w2"), "continued");
    expect((await turnOf(kernel, P, next.agent_turn_id)).status).toBe("dispatched");
  });
  test("is not rebuilt if it says what its turns say, or for an unknown agent", async () => {
    const turn = await running("Plain");
    await expect(rebuild(turn)).rejects.toMatchObject({ code: "conflict" });
    await expect(rebuild({ agent_id: "nobody" })).rejects.toMatchObject({ code: "not_found" });
    await lose(turn);
    const made = await Promise.allSettled([rebuild(turn), rebuild(turn)]);
    expect(made.filter((one) => one.status === "fulfilled")).toHaveLength(1);
  });
});

describe("a turn that is handed on", () => {
  test("costs no attempt and keeps its place; only from the 51st time on it counts, and ends like any other", async () => {
    const agent = await running("Plain");
    const hand = async () => {
      const before = await turnOf(kernel, P, agent.agent_turn_id);
      const key = { project_id: P, agent_turn_id: agent.agent_turn_id, turn_epoch: before.turn_epoch };
      expect(await letGo(kernel, { ...key, worker_id: "w" })).toBe(true);
      const after = await turnOf(kernel, P, agent.agent_turn_id);
      if (after.status === "dispatched") await run(agent.agent_id, agent.agent_turn_id, after.turn_epoch);
      return after;
    };
    for (let n = 1; n <= tunables.handoversMax; n++)
      expect(await hand()).toMatchObject({ turn_epoch: n + 1, attempt: 1, handovers: n });
    expect(await hand()).toMatchObject({ status: "dispatched", attempt: 2, handovers: tunables.handoversMax });
    expect(await hand()).toMatchObject({ status: "dispatched", attempt: 3 });
    expect(await hand()).toMatchObject({
      status: "failed",
      error_code: "timeout_reaped_by_watchdog",
      error: expect.stringContaining("handed it on 50 times"),
    });
  });
  test("by a worker that does not hold it stays where it is", async () => {
    const agent = await running("Plain");
    const key = { project_id: P, agent_turn_id: agent.agent_turn_id };
    expect(await letGo(kernel, { ...key, turn_epoch: agent.turn_epoch, worker_id: "other" })).toBe(false);
    expect(await letGo(kernel, { ...key, turn_epoch: agent.turn_epoch + 1, worker_id: "w" })).toBe(false);
    expect(await turnOf(kernel, P, agent.agent_turn_id)).toMatchObject({ status: "running", handovers: 0 });
  });
});
