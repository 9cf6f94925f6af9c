// A turn goes to sleep: until when at the latest (K14), what it may wait for, and what a tool that is still at it changes.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callersOf, type Running, toNew } from "@/server/testing/callers";
import { callsOf } from "@/server/testing/calls";
import { forksOf } from "@/server/testing/forks";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { outputOf, turnOf } from "@/server/testing/turns";
import { lockWaits } from "../inbox/waits";
import { expireTools } from "../reclaim/expire-tools";
import { readAgent } from "../roster/read-agents";
import { tunables } from "../tunables";
import { withUnit } from "../unit";
import { isFenced } from "./fenced";
import { latestDeadline, suspendTurn } from "./suspend-turn";

let kernel: TestKernel;
const P = "suspend";
const { running } = callersOf(() => kernel, P);
const { saveTool, call, report, rowOf, resume, waitOf, expireNow } = callsOf(() => kernel, P);
const { fork, batch } = forksOf(() => kernel, P);
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Caller", allowed_tools: null }]);
  await saveTool("quick");
  await saveTool("slow", { options: { timeout_ms: 120_000 } });
  await saveTool("in_seconds", { options: { timeout_seconds: 300 } });
  await saveTool("odd");
  // Refused when it is saved; it may have been stored before it was.
  await kernel.test.pool.query("UPDATE resource.tools SET options = $2 WHERE project_id = $1 AND tool_name = 'odd'", [
    P,
    { timeout_ms: "soon", timeout_seconds: -1 },
  ]);
});
afterAll(() => kernel.close());

const head = async ({ agent_id }: Running) => (await readAgent(kernel, { project_id: P, agent_id })).head;
const sleep = (turn: Running, ...tool_call_ids: string[]) => suspendTurn(kernel, { ...turn, tool_call_ids });
const until = async (turn: Running) => {
  const { rows } = await kernel.test.pool.query(
    "SELECT resume_deadline FROM state.agent_state_head WHERE agent_id = $1",
    [turn.agent_id],
  );
  return rows[0].resume_deadline === null ? null : Date.parse(rows[0].resume_deadline);
};
const seconds = (time: string | null | undefined) => (Date.parse(time ?? "") - Date.now()) / 1000;

describe("K14 deadlines", () => {
  test("159 a tool's own timeout, otherwise the service's; an unusable definition is ignored", async () => {
    const turn = await running("Caller");
    const expected = { quick: 60, slow: 120, in_seconds: 300, odd: 60 };
    for (const [tool, time] of Object.entries(expected)) {
      const { tool_call_id, deadline } = await call(turn, tool);
      expect(seconds(deadline)).toBeGreaterThan(time - 5);
      expect(seconds((await waitOf(tool_call_id))?.deadline_at)).toBeLessThanOrEqual(time);
    }
  });
  test("159 a tool keeps its own timeout, also after another call's result was applied", async () => {
    const turn = await running("Caller");
    const quick = await call(turn, "quick");
    const slow = await call(turn, "slow");
    await sleep(turn, quick.tool_call_id, slow.tool_call_id);
    const own = Date.parse((await waitOf(slow.tool_call_id))?.deadline_at ?? "");
    expect(await until(turn)).toBe(own);
    await report(quick.tool_call_id);
    await resume(turn, await rowOf(quick.tool_call_id));
    expect(await head(turn)).toMatchObject({ status: "suspended", waiting_tool_count: 1 });
    expect([await until(turn), Date.parse((await waitOf(slow.tool_call_id))?.deadline_at ?? "")]).toEqual([own, own]);
  });
  test("a parent never wakes before the deadline of the batch it waits for", async () => {
    for (const deadline_seconds of [1, 5_000]) {
      const turn = await running("Caller");
      const made = await fork(turn, { tasks: [toNew("Caller")], deadline_seconds });
      const quick = await call(turn, "quick");
      await sleep(turn, made.tool_call_id, quick.tool_call_id);
      expect(await until(turn)).toBeGreaterThanOrEqual(Date.parse((await batch(made.batch_id)).deadline_at ?? ""));
      await report(quick.tool_call_id);
      await resume(turn, await rowOf(quick.tool_call_id));
      expect(await until(turn)).toBeGreaterThanOrEqual(Date.parse((await batch(made.batch_id)).deadline_at ?? ""));
    }
  });
  test("waits for a batch without a deadline for as long as it takes", async () => {
    const endless = { ...kernel, tunables: { ...tunables, batchDeadlineMs: 0 } };
    const { fork: forkEndless } = forksOf(() => endless, P);
    const turn = await running("Caller");
    const made = await forkEndless(turn, { tasks: [toNew("Caller")] });
    expect(await sleep(turn, made.tool_call_id)).not.toHaveProperty("deadline");
    expect(await until(turn)).toBeNull();
  });
  test("the latest one counts, and none is later than any", () => {
    const at = (deadline_at: string | null) => ({ deadline_at });
    expect(latestDeadline([at("2026-01-01T00:00:01Z"), at("2026-01-01T00:00:09Z")])).toBe("2026-01-01T00:00:09.000Z");
    expect(latestDeadline([at("2026-01-01T00:00:01Z"), at(null)])).toBeNull();
  });
});

describe("suspending", () => {
  test("for a call that was not made, and for none at all, is refused, and the turn runs on", async () => {
    const turn = await running("Caller");
    await expect(sleep(turn)).rejects.toMatchObject({
      code: "bad_request",
      message: expect.stringContaining("tool_call_ids"),
    });
    const { tool_call_id } = await call(turn, "quick");
    await expect(sleep(turn, tool_call_id, "tc_other")).rejects.toMatchObject({
      code: "bad_request",
      message: expect.stringContaining("tc_other"),
    });
    expect(await head(turn)).toMatchObject({ status: "running" });
  });
  test("twice is fenced the second time; so is a stale worker", async () => {
    const turn = await running("Caller");
    const { tool_call_id } = await call(turn, "quick");
    expect(isFenced(await sleep({ ...turn, turn_epoch: 0 }, tool_call_id))).toBe(true);
    expect(await sleep(turn, tool_call_id)).toMatchObject({ status: "suspended" });
    expect(isFenced(await sleep(turn, tool_call_id))).toBe(true);
  });
  test("at the same time as the result of the call: read at once, or by the resume, and never lost", async () => {
    for (let round = 0; round < 8; round++) {
      const turn = await running("Caller");
      const { tool_call_id } = await call(turn, "quick");
      const [slept] = await Promise.all([sleep(turn, tool_call_id), report(tool_call_id)]);
      if (isFenced(slept)) throw new Error("it was fenced");
      if (slept.status === "suspended") expect((await resume(turn, await rowOf(tool_call_id))).status).toBe("running");
      const cards = await outputOf(kernel, await turnOf(kernel, P, turn.agent_turn_id));
      expect(cards.filter((card) => card.type === "tool.result")).toHaveLength(1);
      expect((await head(turn)).status).toBe("running");
    }
  });
});

describe("161 a tool that says it is still working", () => {
  test("gets its time again; nothing is applied, nothing is woken", async () => {
    const turn = await running("Caller");
    const { tool_call_id } = await call(turn, "in_seconds");
    await sleep(turn, tool_call_id);
    await expireNow(tool_call_id);
    const before = await outputOf(kernel, await turnOf(kernel, P, turn.agent_turn_id));
    expect(await report(tool_call_id, { status: "running", result: undefined })).toEqual({ status: "running" });
    expect(seconds((await waitOf(tool_call_id))?.deadline_at)).toBeGreaterThan(290);
    expect(await until(turn)).toBeGreaterThanOrEqual(
      Date.parse((await waitOf(tool_call_id))?.deadline_at ?? "") - 1_000,
    );
    expect([await expireTools(kernel), await rowOf(tool_call_id)]).toEqual([0, undefined]);
    expect(await outputOf(kernel, await turnOf(kernel, P, turn.agent_turn_id))).toEqual(before);
    expect((await head(turn)).status).toBe("suspended");
  });
  test("is ignored if it is too late", async () => {
    const turn = await running("Caller");
    const { tool_call_id } = await call(turn, "quick");
    await report(tool_call_id);
    expect(await report(tool_call_id, { status: "running", result: undefined })).toEqual({ status: "late" });
  });
});

test("finished calls are neither read nor locked by the next suspend, and can still be named", async () => {
  const turn = await running("Caller");
  const calls: string[] = [];
  for (let i = 0; i < 5; i++) {
    const { tool_call_id } = await call(turn, "quick");
    calls.push(tool_call_id);
    await report(tool_call_id);
    expect(await sleep(turn, tool_call_id)).toMatchObject({ status: "running", waiting: [] });
  }
  const open = await call(turn, "slow");
  const found = await withUnit(kernel, (unit) => lockWaits(unit, turn));
  expect(found.map((wait) => wait.tool_call_id)).toEqual([open.tool_call_id]);
  const [first = ""] = calls;
  expect(await sleep(turn, first)).toMatchObject({ status: "suspended", waiting: [open.tool_call_id] });
});
