// Queueing and leasing: what a child takes over from its parent, which of several turns is next, and what a row that was
// moved by hand cannot do. And the other end: what is left of a head when its turn has ended.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMemoryDoorbell } from "@/server/doorbell/memory-doorbell";
import { callersOf, toNew } from "@/server/testing/callers";
import { callsOf } from "@/server/testing/calls";
import { forksOf } from "@/server/testing/forks";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { turnOf } from "@/server/testing/turns";
import { readAgent } from "../roster/read-agents";
import { withUnit } from "../unit";
import { leaseNext } from "./lease-next";
import { lockHeads } from "./lock-heads";

let kernel: TestKernel;
const P = "enqueue";
const doorbell = createMemoryDoorbell();
const { running, accepted, launched, deliver, run, refused, call: delegateBy } = callersOf(() => kernel, P);
const { saveTool, call } = callsOf(() => kernel, P);
const { rows, end } = forksOf(() => kernel, P);
beforeAll(async () => {
  kernel = await openTestKernel({ doorbell });
  await seedProject(kernel, P, [{ name: "Plain", worker_target: "t1", allowed_tools: null }]);
  await seedProject(kernel, "twin", [{ name: "Plain" }]);
  await saveTool("later");
});
afterAll(() => kernel.close());

const reuse = (target_ref: string, instruction = "again") => ({ target_strategy: "reuse", target_ref, instruction });
const head = async (agent_id: string) => (await readAgent(kernel, { project_id: P, agent_id })).head;
const setDepth = (agent_turn_id: string, depth: number) =>
  kernel.test.pool.query("UPDATE state.agent_turns SET depth = $2 WHERE agent_turn_id = $1", [agent_turn_id, depth]);
const edgesOf = (correlation: string) =>
  rows<{ edge_phase: string; primitive: string }>(
    "SELECT * FROM state.execution_edges WHERE project_id = $1 AND correlation_id = $2",
    [correlation],
  );
/** An idle agent with turns left in its queue, which the kernel itself never leaves behind. */
async function idleWithQueue(n: number): Promise<{ agent_id: string; queued: string[] }> {
  const agent = await running("Plain");
  const boss = await running("Plain");
  const queued: string[] = [];
  for (let i = 0; i < n; i++) queued.push((await accepted(boss, reuse(agent.agent_id, `part ${i}`))).agent_turn_id);
  await kernel.test.pool.query("UPDATE state.due SET is_held = true WHERE agent_turn_id = ANY ($1)", [queued]);
  await deliver(agent, "done");
  await kernel.test.pool.query("UPDATE state.due SET is_held = false WHERE agent_turn_id = ANY ($1)", [queued]);
  return { agent_id: agent.agent_id, queued };
}
const lease = (agent_id: string) =>
  withUnit(kernel, async (unit) => {
    await lockHeads(unit, { project_id: P, agent_ids: [agent_id] });
    return leaseNext(unit, { project_id: P, agent_ids: [agent_id] });
  });

describe("a child", () => {
  test("99 is one level deeper, under the caller's turn and step, with its own turn id and no call", async () => {
    const boss = await running("Plain");
    await setDepth(boss.agent_turn_id, 2);
    const child = await accepted(boss, toNew("Plain"));
    expect(child.agent_turn_id).not.toBe(boss.agent_turn_id);
    const row = await turnOf(kernel, P, child.agent_turn_id);
    expect(row).toMatchObject({
      depth: 3,
      parent_turn_id: boss.agent_turn_id,
      root_turn_id: boss.turn.root_turn_id,
      parent_step_id: "step_parent",
      trace_id: boss.turn.trace_id,
      channel: boss.turn.channel,
      step_count: 0,
      parent_tool_call_id: null,
    });
    const queued = await accepted(boss, reuse(child.agent_id));
    expect([queued.turn_epoch, (await turnOf(kernel, P, queued.agent_turn_id)).turn_epoch]).toEqual([null, 0]);
  });
  test("181 of a delegation keeps the trace, with its own span", async () => {
    const boss = await running("Plain");
    const parents: string[] = [];
    for (const child of [await accepted(boss, toNew("Plain")), await accepted(boss, toNew("Plain"))]) {
      const [row] = await rows<{ context_headers: { traceparent: string } }>(
        "SELECT context_headers FROM state.agent_inbox WHERE project_id = $1 AND agent_turn_id = $2",
        [child.agent_turn_id],
      );
      const traceparent = row?.context_headers.traceparent ?? "";
      expect(traceparent).toMatch(new RegExp(`^00-${boss.turn.trace_id}-[0-9a-f]{16}-01$`));
      parents.push(traceparent);
    }
    expect(new Set(parents).size).toBe(2);
  });
  test("101 at depth 19 is the last: its own children are refused, without a row", async () => {
    const boss = await running("Plain");
    await setDepth(boss.agent_turn_id, 18);
    const child = await accepted(boss, toNew("Plain"));
    expect((await turnOf(kernel, P, child.agent_turn_id)).depth).toBe(19);
    const last = await run(child.agent_id, child.agent_turn_id, 1);
    expect((await refused(() => delegateBy(last, toNew("Plain")))).code).toBe("recursion_depth_exceeded");
  });
  test("103 of the same call twice is one turn, one row, one edge", async () => {
    const boss = { ...(await running("Plain")), client_call_key: "k" };
    const first = await accepted(boss, toNew("Plain"));
    const before = await countRows(kernel);
    expect(await accepted(boss, toNew("Plain"))).toEqual(first);
    expect(await countRows(kernel)).toEqual(before);
    expect((await edgesOf(first.agent_turn_id)).map((edge) => edge.edge_phase)).toEqual(["request"]);
  });
});

describe("191 a correlation", () => {
  const put = (project_id: string, message_type: string, agent_id: string) =>
    kernel.test.pool.query(
      `INSERT INTO state.inbox_messages (project_id, inbox_id, agent_id, message_type, correlation_id, worker_target, status)
       VALUES ($1, $2, $3, $4, 'k191', 't', 'consumed')`,
      [project_id, kernel.newId("inbox_"), agent_id, message_type],
    );
  test("is unique for its kind and project, and may repeat in another kind or project", async () => {
    const agent = await launched("Plain");
    const twin = await callersOf(() => kernel, "twin").launched("Plain");
    await put(P, "turn", agent.agent_id);
    await put(P, "tool_result", agent.agent_id);
    await put("twin", "turn", twin.agent_id);
    await expect(put(P, "turn", agent.agent_id)).rejects.toMatchObject({ code: "23505" });
  });
});

describe("the next of several", () => {
  test("105 an older one goes before the one that is queued now, which has no epoch yet", async () => {
    const { agent_id, queued } = await idleWithQueue(1);
    const now = await accepted(await running("Plain"), reuse(agent_id));
    expect(now.turn_epoch).toBeNull();
    expect(await head(agent_id)).toMatchObject({
      status: "dispatched",
      active_agent_turn_id: queued[0],
      turn_epoch: 2,
    });
    expect((await turnOf(kernel, P, now.agent_turn_id)).status).toBe("queued");
  });
  test("107 what is due of a turn that is gone, or is not queued, is skipped", async () => {
    const { agent_id, queued } = await idleWithQueue(4);
    const set = (text: string, i: number) => kernel.test.pool.query(`${text} WHERE agent_turn_id = $1`, [queued[i]]);
    await set("UPDATE state.due SET agent_turn_id = 'turn_gone'", 0);
    await set(
      "UPDATE state.agent_turns SET status = 'failed', ended_at = now(), deliverable_card_id = 'x', output_box_id = context_box_id",
      1,
    );
    const [leased] = await lease(agent_id);
    expect(leased).toMatchObject({ agent_turn_id: queued[2], status: "dispatched" });
    expect(await lease(agent_id)).toEqual([]);
    const memory = leased?.output_box_id;
    await end(await run(agent_id, queued[2] ?? "", leased?.turn_epoch ?? 0));
    expect(await turnOf(kernel, P, queued[3] ?? "")).toMatchObject({ status: "dispatched", output_box_id: memory });
  });
  test("109 has the ids it was queued with, not those of the turn that released it", async () => {
    const { agent_id, queued } = await idleWithQueue(1);
    await setDepth(queued[0] ?? "", 7);
    await kernel.test.pool.query("UPDATE state.agent_turns SET channel = 'side' WHERE agent_turn_id = $1", [queued[0]]);
    doorbell.rung.length = 0;
    const [leased] = await lease(agent_id);
    expect(leased).toMatchObject({ agent_turn_id: queued[0], turn_epoch: 2, channel: "side", depth: 7, agent_id });
    const rung = doorbell.rung.filter((ring) => ring.kind === "wakeup");
    expect(rung).toMatchObject([
      { worker_target: "t1", agent_turn_id: queued[0], turn_epoch: 2, channel: "side", trace_id: leased?.trace_id },
    ]);
    for (const ring of rung) expect(ring).not.toHaveProperty("depth");
  });
});

describe("175 a finish", () => {
  test("leaves the head idle with its profile and epoch, the pointer on the output, no waits; then the next is leased", async () => {
    const turn = await running("Plain");
    const { tool_call_id } = await call(turn, "later");
    const profile = async () =>
      (
        await rows<Record<string, unknown>>(
          "SELECT * FROM state.agent_state_head WHERE project_id = $1 AND agent_id = $2",
          [turn.agent_id],
        )
      )[0];
    const before = await profile();
    await deliver(turn, "done");
    expect(await profile()).toMatchObject({
      status: "idle",
      turn_epoch: 1,
      profile_box_id: before?.profile_box_id,
      active_agent_turn_id: null,
      context_box_id: null,
      output_box_id: null,
      trace_id: null,
      parent_step_id: null,
      waiting_tool_count: 0,
      resume_deadline: null,
      lease_holder: null,
      heartbeat_at: null,
    });
    const waits = await rows<{ wait_status: string }>(
      "SELECT wait_status FROM state.turn_waiting_tools WHERE project_id = $1 AND tool_call_id = $2",
      [tool_call_id],
    );
    expect(waits).toEqual([{ wait_status: "dropped" }]);
    const [pointer] = await rows<{ last_output_box_id: string }>(
      "SELECT * FROM state.agent_state_pointers WHERE project_id = $1 AND agent_id = $2",
      [turn.agent_id],
    );
    expect(pointer?.last_output_box_id).toBe(turn.turn.output_box_id);
    const open = await rows(
      `SELECT 1 FROM state.inbox_messages WHERE project_id = $1 AND agent_turn_id = $2 AND status IN ('pending', 'processing', 'deferred')
       UNION ALL SELECT 1 FROM state.due WHERE project_id = $1 AND agent_turn_id = $2`,
      [turn.agent_turn_id],
    );
    expect(open).toEqual([]);
  });
  test("with a queue behind it: the oldest is leased in the same transaction, and rung for", async () => {
    const turn = await running("Plain");
    const boss = await running("Plain");
    const [first, second] = [await accepted(boss, reuse(turn.agent_id)), await accepted(boss, reuse(turn.agent_id))];
    doorbell.rung.length = 0;
    await deliver(turn, "done");
    expect(await head(turn.agent_id)).toMatchObject({
      status: "dispatched",
      active_agent_turn_id: first.agent_turn_id,
      turn_epoch: 2,
    });
    expect((await turnOf(kernel, P, second.agent_turn_id)).status).toBe("queued");
    expect(doorbell.rung).toContainEqual(
      expect.objectContaining({ kind: "wakeup", agent_turn_id: first.agent_turn_id }),
    );
  });
});
