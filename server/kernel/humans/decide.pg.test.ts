// If several decide at once, exactly one counts: two people, a person and the deadline, a person and the end of the turn.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Decision } from "@/server/contract/asking";
import { KernelError } from "@/server/contract/errors";
import { callersOf } from "@/server/testing/callers";
import { callsOf } from "@/server/testing/calls";
import { forksOf } from "@/server/testing/forks";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { answerWith, faultOf, peopleOf } from "@/server/testing/people";
import { expireRequests } from "../reclaim/expire-requests";
import { rebuildHead } from "../reclaim/rebuild-head";
import { stopTurn } from "../reclaim/stop-turn";
import { watchOnce } from "../reclaim/watch-turns";
import { isFenced } from "../turns/fenced";
import { suspendTurn } from "../turns/suspend-turn";

let kernel: TestKernel;
const P = "deciding";
const { running, deliver } = callersOf(() => kernel, P);
const { call, rowOf, resume, waitOf, claim } = callsOf(() => kernel, P);
const { rows } = forksOf(() => kernel, P);
const { requestOf, asked, decide, framesOfRequest, expireNow } = peopleOf(() => kernel, P, "Asker");
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [
    { name: "Asker", allowed_tools: ["ask_human", "fork_join"], requires_approval: ["fork_join"] },
  ]);
});
beforeEach(() => {
  kernel.probe = undefined;
});
afterAll(() => kernel.close());

describe("races", () => {
  test("if two answer at once, one answer counts, and the other person is told what was answered and by whom", async () => {
    for (let round = 0; round < 5; round++) {
      const { request, tool_call_id, turn } = await asked();
      const both = await Promise.allSettled([
        decide(request, answerWith("left"), "ann"),
        decide(request, answerWith("right"), "bob"),
      ]);
      const won = both.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
      const lost = both.flatMap((one) => (one.status === "rejected" ? [one.reason as KernelError] : []));
      expect(won).toHaveLength(1);
      const [winner] = won;
      expect(lost).toMatchObject([
        {
          code: "conflict",
          message: `request ${request.request_id} is decided: ${winner?.decided_by} answered it: ${winner?.answer}`,
          detail: { request: { decided_by: winner?.decided_by, answer: winner?.answer, status: "answered" } },
        },
      ]);
      expect((await framesOfRequest(request)).map((frame) => frame.rev)).toEqual([1, 2]);
      const resumed = await resume(turn, await rowOf(tool_call_id));
      expect(resumed.results).toHaveLength(1);
    }
  });

  test("the same answer by the same person again returns the first result", async () => {
    const { request } = await asked("fork_join", { tasks: [] });
    const task = { target_strategy: "new", target_ref: "Asker", instruction: "go" };
    const approve: Decision = { action: "approve", arguments: { tasks: [task] } };
    const first = await decide(request, approve);
    const before = await countRows(kernel);
    expect(await decide(request, approve)).toEqual(first);
    expect((await faultOf(decide(request, { action: "deny", reason: "no" }))).code).toBe("conflict");
    expect((await faultOf(decide(request, approve, "bob"))).code).toBe("conflict");
    expect(await countRows(kernel)).toEqual(before);
  });

  test("an answer at the same time as the timeout: the turn continues with whichever is first", async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 8; round++) {
      const { request, turn, tool_call_id } = await asked("ask_human", { question: "In time?", timeout_seconds: 60 });
      await expireNow(request.request_id);
      const first = round % 2 === 0 ? "before-decide" : "before-expire";
      kernel.probe = (point) => (point === first ? sleep(30) : undefined);
      const [answered] = await Promise.allSettled([decide(request, answerWith("yes")), expireRequests(kernel)]);
      kernel.probe = undefined;
      const { status } = await requestOf(tool_call_id);
      expect(status).toBe(answered.status === "fulfilled" ? "answered" : "expired");
      if (answered.status === "rejected") expect(answered.reason.message).toContain("it timed out");
      seen.add(status);
      const [row] = (await rows<{ inbox_id: string }>(
        "SELECT inbox_id FROM state.agent_inbox WHERE project_id = $1 AND correlation_id = $2 AND message_type IN ('tool_result', 'timeout')",
        [tool_call_id],
      )) as [{ inbox_id: string }];
      const resumed = await resume(turn, row);
      expect(resumed.results).toHaveLength(1);
      expect(resumed.results[0]?.card.content).toMatchObject({ status: status === "answered" ? "success" : "timeout" });
    }
    expect(seen.size).toBeGreaterThan(0);
  });

  test("an answer at the same time as a stop of its turn: the request is answered or dropped, and the turn has ended", async () => {
    for (let round = 0; round < 5; round++) {
      const { request, turn, tool_call_id } = await asked();
      const { agent_turn_id } = turn;
      const [answered] = await Promise.allSettled([
        decide(request, answerWith("left")),
        stopTurn(kernel, { project_id: P, agent_turn_id, scope: "turn", by: "bob" }),
      ]);
      const { status } = await requestOf(tool_call_id);
      expect(status).toBe(answered.status === "fulfilled" ? "answered" : "dropped");
      if (answered.status === "rejected") expect(answered.reason).toMatchObject({ code: "conflict" });
      expect((await waitOf(tool_call_id))?.wait_status).toBe("dropped");
    }
  });
});

describe("time and ends", () => {
  test("past its deadline a question gets a timeout result from the watchdog; the rule for tools ignores it", async () => {
    const { request, turn, tool_call_id } = await asked("ask_human", { question: "Quick?", timeout_seconds: 60 });
    expect(Date.parse(request.deadline_at ?? "") - Date.now()).toBeGreaterThan(55_000);
    await expireNow(request.request_id);
    await rows(
      "UPDATE state.turn_waiting_tools SET deadline_at = now() - interval '1 s' WHERE project_id = $1 AND tool_call_id = $2",
      [tool_call_id],
    );
    const { acted, failed } = await watchOnce(kernel);
    expect(failed).toEqual([]);
    expect(acted).toMatchObject({ "expire-requests": 1 });
    expect(acted).not.toHaveProperty("expire-tools");
    expect((await watchOnce(kernel)).acted).not.toHaveProperty("expire-requests");
    const resumed = await resume(turn, await rowOf(tool_call_id, "timeout"));
    expect(resumed.results[0]?.card.content).toMatchObject({
      status: "timeout",
      error: { code: "no_answer", message: "nobody answered within 60 s" },
    });
    expect((await faultOf(decide(request, answerWith("late")))).message).toContain("it timed out");
  });

  test("past its deadline an approval gives the call a timeout result, and the call is not carried out", async () => {
    const turn = await running("Asker");
    const { tool_call_id } = await call(turn, "fork_join", { tasks: [] });
    const request = await requestOf(tool_call_id);
    await suspendTurn(kernel, { ...turn, tool_call_ids: [tool_call_id] });
    await expireNow(request.request_id);
    expect(await expireRequests(kernel)).toBe(1);
    const resumed = await resume(turn, await rowOf(`${tool_call_id}-approval`, "timeout"));
    expect(resumed.results[0]).toMatchObject({
      tool_call_id,
      card: { type: "tool.result", content: { status: "timeout", error: { code: "no_approval" } } },
    });
  });

  test("a turn that ends in any way drops what it has asked, in the same transaction", async () => {
    const turn = await running("Asker");
    const { tool_call_id } = await call(turn, "ask_human", { question: "Still there?" });
    const ended = await deliver(turn, "did it without");
    expect(isFenced(ended)).toBe(false);
    const request = await requestOf(tool_call_id);
    expect(request.status).toBe("dropped");
    const [last] = (await framesOfRequest(request)).slice(-1);
    expect(last).toMatchObject({ status: "dropped", rev: 2 });
    expect((await faultOf(decide(request, answerWith("x")))).message).toContain("its turn ended first");
  });

  test("an agent that no longer names its turn does not lose the answer: the turn continues with it", async () => {
    const { request, turn, tool_call_id } = await asked();
    const lost = "UPDATE resource.project_agents SET active_turn = NULL WHERE project_id = $1 AND agent_id = $2";
    await rows(lost, [turn.agent_id]);
    await decide(request, answerWith("left"));
    await rebuildHead(kernel, { project_id: P, agent_id: turn.agent_id });
    await rows("UPDATE state.inbox_messages SET next_retry_at = now() WHERE project_id = $1 AND correlation_id = $2", [
      tool_call_id,
    ]);
    expect((await claim()).map((row) => row.agent_turn_id)).toContain(turn.agent_turn_id);
    expect(await resume(turn, await rowOf(tool_call_id))).toMatchObject({ status: "running" });
  });

  test("interrupted before its commit, nothing of a decision is written, and it can be made again", async () => {
    const { request, tool_call_id } = await asked();
    const before = await countRows(kernel);
    kernel.probe = (point, statements) => {
      if (point === "before-commit" && statements.includes("human_request_close"))
        throw new KernelError("storage_error", "the database went away");
    };
    await faultOf(decide(request, answerWith("left")));
    kernel.probe = undefined;
    expect(await countRows(kernel)).toEqual(before);
    expect((await requestOf(tool_call_id)).status).toBe("open");
    expect(await decide(request, answerWith("left"))).toMatchObject({ status: "answered" });
  });
});
