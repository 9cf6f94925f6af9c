// Turns stopped by hand: one, or everything below it; queued, suspended, or at the very moment they end by themselves.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { callersOf, toNew } from "@/server/testing/callers";
import { type Branch, forksOf, type Sleeping } from "@/server/testing/forks";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { outputOf, turnOf } from "@/server/testing/turns";
import { launch } from "../launch/launch";
import { readAgent } from "../roster/read-agents";
import { isFenced } from "../turns/fenced";
import { startTurn } from "../turns/start-turn";
import { stopTurn } from "./stop-turn";

let kernel: TestKernel;
const P = "stop";
const { running, accepted, deliver, run, call } = callersOf(() => kernel, P);
const { sleeping, start, end, fork, tasks, batchFrames, taskFrames, resultRows, resumeBy, rows } = forksOf(
  () => kernel,
  P,
);
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Boss" }]);
});
beforeEach(() => {
  kernel.probe = undefined;
});
afterAll(() => kernel.close());

const stop = (agent_turn_id: string, scope: "turn" | "subtree" = "turn", reason?: string) =>
  stopTurn(kernel, { project_id: P, agent_turn_id, scope, reason, by: "ann" });
const turn = (agent_turn_id: string | undefined) => turnOf(kernel, P, agent_turn_id ?? "");
const head = async (agent_id: string) => (await readAgent(kernel, { project_id: P, agent_id })).head;
const pointer = async (agent_id: string) =>
  (
    await rows<{ last_output_box_id: string }>(
      "SELECT last_output_box_id FROM state.agent_state_pointers WHERE project_id = $1 AND agent_id = $2",
      [agent_id],
    )
  )[0]?.last_output_box_id;
const turnRow = async (agent_turn_id: string | undefined) =>
  (
    await rows<{ status: string }>(
      "SELECT status FROM state.agent_inbox WHERE project_id = $1 AND agent_turn_id = $2 AND message_type = 'turn'",
      [agent_turn_id],
    )
  )[0]?.status;
const reuse = (target_ref: string) => ({ target_strategy: "reuse", target_ref, instruction: "again" });

describe("one turn", () => {
  test("that runs: its worker is fenced, its deliverable says who stopped it, the next turn is leased", async () => {
    const agent = await running("Boss");
    const next = await accepted(await running("Boss"), reuse(agent.agent_id));
    expect(await stop(agent.agent_turn_id, "turn", "wrong one")).toEqual({ stopped: [agent.agent_turn_id] });
    const ended = await turn(agent.agent_turn_id);
    expect(ended).toMatchObject({
      status: "canceled",
      error_code: "stopped",
      error: "stopped by ann: wrong one",
      turn_epoch: 2,
    });
    const [deliverable] = await outputOf(kernel, ended);
    expect(deliverable?.metadata).toMatchObject({ is_fallback: true, agent_turn_id: agent.agent_turn_id });
    expect(isFenced(await deliver(agent, "too late"))).toBe(true);
    expect(await head(agent.agent_id)).toMatchObject({
      status: "dispatched",
      active_agent_turn_id: next.agent_turn_id,
      turn_epoch: 3,
    });
  });
  test("that has ended is left as it was; an unknown one is not_found", async () => {
    const agent = await running("Boss");
    await deliver(agent, "done");
    expect(await stop(agent.agent_turn_id)).toEqual({ stopped: [] });
    expect((await turn(agent.agent_turn_id)).status).toBe("success");
    await expect(stop("turn_none")).rejects.toMatchObject({ code: "not_found" });
    await expect(
      stopTurn(kernel, { project_id: "other", agent_turn_id: agent.agent_turn_id, scope: "turn", by: "x" }),
    ).rejects.toMatchObject({
      code: "not_found",
    });
  });
  test("by several at once, and at the same time as its own end: one task frame", async () => {
    for (let round = 0; round < 6; round++) {
      const agent = await running("Boss");
      const [delivered, ...stops] = await Promise.all([
        deliver(agent, "done"),
        stop(agent.agent_turn_id),
        stop(agent.agent_turn_id),
      ]);
      const ended = stops.flatMap((one) => one.stopped).length + (isFenced(delivered) ? 0 : 1);
      expect([ended, await taskFrames(agent.agent_turn_id)]).toEqual([1, 1]);
    }
  });
  test("137 dispatched and never claimed is left alone by every rule, and ends only by a stop: no copy of it runs afterwards", async () => {
    const boss = await sleeping("Boss", 1);
    const [branch] = boss.fork.tasks;
    expect((await stop(branch?.agent_turn_id ?? "")).stopped).toHaveLength(1);
    expect(await turnRow(branch?.agent_turn_id)).toBe("consumed");
    const late = { project_id: P, agent_turn_id: branch?.agent_turn_id ?? "", turn_epoch: 1, worker_id: "w" };
    expect(isFenced(await startTurn(kernel, late))).toBe(true);
    expect(await head(branch?.agent_id ?? "")).toMatchObject({ status: "idle", turn_epoch: 2 });
  });
});

describe("123 K5 a queued turn", () => {
  test("of a batch: its row is skipped, its branch canceled, its agent's work and memory untouched", async () => {
    const busy = await running("Boss");
    const boss = await sleeping("Boss", [reuse(busy.agent_id), toNew("Boss")]);
    const [queued] = boss.fork.tasks;
    const before = await head(busy.agent_id);
    expect(await stop(queued?.agent_turn_id ?? "")).toEqual({ stopped: [queued?.agent_turn_id] });
    expect([await turnRow(queued?.agent_turn_id), (await tasks(boss.fork.batch_id))[0]?.status]).toEqual([
      "skipped",
      "canceled",
    ]);
    expect(await head(busy.agent_id)).toEqual(before);
    const ended = await turn(queued?.agent_turn_id);
    expect(ended.output_box_id).not.toBe(busy.turn.output_box_id);
    expect((await outputOf(kernel, ended)).map((card) => card.type)).toEqual(["task.deliverable"]);
    await deliver(busy, "done");
    expect(await head(busy.agent_id)).toMatchObject({ status: "idle" });
    expect(await pointer(busy.agent_id)).toBe(busy.turn.output_box_id);
  });
  test("whose agent is already idle does not move its memory", async () => {
    const agent = await running("Boss");
    const queued = await accepted(await running("Boss"), reuse(agent.agent_id));
    const behind = await accepted(await running("Boss"), reuse(agent.agent_id));
    await stop(queued.agent_turn_id);
    await deliver(agent, "done");
    expect(await pointer(agent.agent_id)).toBe(agent.turn.output_box_id);
    const next = await run(agent.agent_id, behind.agent_turn_id, 2);
    expect([next.turn.output_box_id, next.turn.output_start]).toEqual([agent.turn.output_box_id, 1]);
  });
  test("at the same time as its lease: stopped either way, once", async () => {
    for (let round = 0; round < 6; round++) {
      const agent = await running("Boss");
      const queued = await accepted(await running("Boss"), reuse(agent.agent_id));
      await Promise.all([deliver(agent, "done"), stop(queued.agent_turn_id)]);
      expect([(await turn(queued.agent_turn_id)).status, await taskFrames(queued.agent_turn_id)]).toEqual([
        "canceled",
        1,
      ]);
      expect(await head(agent.agent_id)).toMatchObject({ status: "idle" });
    }
  });
});

describe("a subtree", () => {
  const liveOf = (root: string) =>
    rows("SELECT 1 FROM state.agent_turns WHERE project_id = $1 AND root_turn_id = $2 AND ended_at IS NULL", [root]);
  test("ends with its root: branches, their branches, and what they delegated", async () => {
    const boss = await sleeping("Boss", 2);
    const middle = await start(boss.fork.tasks[0]);
    const below = await fork(middle, { tasks: [toNew("Boss")] });
    const aside = await accepted(middle, toNew("Boss"));
    const { stopped } = await stop(boss.agent_turn_id, "subtree");
    expect(stopped).toEqual(expect.arrayContaining([boss.agent_turn_id, aside.agent_turn_id]));
    expect(await liveOf(boss.turn.root_turn_id)).toEqual([]);
    for (const batch_id of [boss.fork.batch_id, below.batch_id])
      expect(await batchFrames(batch_id)).toEqual(["running", "canceled"]);
  });
  test("of one turn alone leaves what it delegated running, and ends what it forked", async () => {
    const boss = await running("Boss");
    const aside = await accepted(boss, toNew("Boss"));
    const made = await fork(boss, { tasks: [toNew("Boss")] });
    await stop(boss.agent_turn_id, "turn");
    expect((await turn(aside.agent_turn_id)).status).toBe("dispatched");
    expect((await turn(made.tasks[0]?.agent_turn_id)).status).toBe("canceled");
  });
  test("at the moment a child is created: it is stopped too, or never created", async () => {
    for (let round = 0; round < 8; round++) {
      const boss = await running("Boss");
      const first = await accepted(boss, toNew("Boss"));
      const child = await run(first.agent_id, first.agent_turn_id, 1);
      await Promise.all([
        stop(boss.agent_turn_id, "subtree"),
        call(child, toNew("Boss")),
        fork(child, { tasks: [toNew("Boss")] }).catch(() => null),
      ]);
      expect(await liveOf(boss.turn.root_turn_id)).toEqual([]);
    }
  });
  test("of a person: the whole run", async () => {
    const root = await launch(kernel, {
      project_id: P,
      tool: "fork_join",
      user: "ann",
      args: { tasks: [toNew("Boss"), toNew("Boss")] },
    });
    const { stopped } = await stop(root.agent_turn_id, "subtree");
    expect(stopped).toContain(root.agent_turn_id);
    expect(await liveOf(root.agent_turn_id)).toEqual([]);
    expect([(await turn(root.agent_turn_id)).status, await taskFrames(root.agent_turn_id)]).toEqual(["canceled", 1]);
  });
});

describe("a suspended parent is stopped at the same time as its join", () => {
  const expectOver = async (boss: Sleeping) => {
    const frames = await batchFrames(boss.fork.batch_id);
    expect(frames).toHaveLength(2);
    expect([(await turn(boss.agent_turn_id)).status, await taskFrames(boss.agent_turn_id)]).toEqual(["canceled", 1]);
    for (const row of await resultRows(boss.fork.tool_call_id)) expect(row.status).toBe("consumed");
    for (const task of boss.fork.tasks) expect(await taskFrames(task.agent_turn_id ?? "")).toBe(1);
    expect(await head(boss.agent_id)).toMatchObject({ status: "idle" });
    return frames[1];
  };
  const ending = async (branch: Branch | undefined) => end(await start(branch));
  test("at once: stopped once, the batch ends once, nobody is woken", async () => {
    const ends = new Set<string | undefined>();
    for (let round = 0; round < 8; round++) {
      const boss = await sleeping("Boss", 2);
      await ending(boss.fork.tasks[0]);
      const last = await start(boss.fork.tasks[1]);
      await Promise.all([end(last), stop(boss.agent_turn_id)]);
      ends.add(await expectOver(boss));
    }
    for (const status of ends) expect(["success", "canceled"]).toContain(status);
  });
  test("the join is first: its result is consumed with the turn, and resumes nothing", async () => {
    const boss = await sleeping("Boss", 1);
    await ending(boss.fork.tasks[0]);
    const [row] = await resultRows(boss.fork.tool_call_id);
    expect(row?.status).toBe("pending");
    await stop(boss.agent_turn_id);
    expect(await expectOver(boss)).toBe("success");
    expect((await resumeBy(boss, boss.fork.tool_call_id)).status).toBe("ignored");
  });
  test("the stop is first: the branch that ends meanwhile settles nothing any more", async () => {
    const boss = await sleeping("Boss", 1);
    const branch = await start(boss.fork.tasks[0]);
    await stop(boss.agent_turn_id);
    expect(isFenced(await end(branch))).toBe(true);
    expect(await expectOver(boss)).toBe("canceled");
    expect(await resultRows(boss.fork.tool_call_id)).toEqual([]);
  });
  test("at the same time as its resume: either the turn resumes and is then stopped, or it never wakes", async () => {
    for (let round = 0; round < 6; round++) {
      const boss = await sleeping("Boss", 1);
      await ending(boss.fork.tasks[0]);
      await Promise.all([resumeBy(boss, boss.fork.tool_call_id), stop(boss.agent_turn_id)]);
      await expectOver(boss);
    }
  });
});
