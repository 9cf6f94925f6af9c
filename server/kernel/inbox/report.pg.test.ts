// A tool service reports: the first report counts, a second one changes nothing, and what is recorded about the call comes
// from the call itself, never from the reporter.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createMemoryDoorbell } from "@/server/doorbell/memory-doorbell";
import { callersOf, type Running, toNew } from "@/server/testing/callers";
import { callsOf } from "@/server/testing/calls";
import { forksOf } from "@/server/testing/forks";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { framesOf } from "@/server/testing/turns";
import { expireTools } from "../reclaim/expire-tools";
import { deleteTool } from "../roster/delete-tool";
import { suspendTurn } from "../turns/suspend-turn";

let kernel: TestKernel;
const P = "report";
const doorbell = createMemoryDoorbell();
const { running, refused } = callersOf(() => kernel, P);
const { saveTool, call, report, rowOf, resume, waitOf, expireNow } = callsOf(() => kernel, P);
const { fork, rows } = forksOf(() => kernel, P);
beforeAll(async () => {
  kernel = await openTestKernel({ doorbell });
  await seedProject(kernel, P, [{ name: "Caller", allowed_tools: null }]);
  await seedProject(kernel, "other");
  await saveTool("weigh", { target_subject: "cmd.tool.weigh" });
  await saveTool("finish", { after_execution: "terminate" });
});
beforeEach(() => {
  kernel.probe = undefined;
});
afterAll(() => kernel.close());

type Edge = {
  edge_phase: string;
  recursion_depth: number;
  parent_step_id: string | null;
  source_step_id: string | null;
  trace_id: string;
};
const edgesOf = (tool_call_id: string) =>
  rows<Edge>(
    "SELECT * FROM state.execution_edges WHERE project_id = $1 AND correlation_id = $2 AND primitive = 'tool_call' ORDER BY edge_phase",
    [tool_call_id],
  );
const resultsOf = (tool_call_id: string) =>
  rows<{ content: Record<string, unknown>; metadata: Record<string, unknown> }>(
    "SELECT content, metadata FROM cards WHERE tenant_id = $1 AND tool_call_id = $2 AND metadata ->> 'type' = 'tool.result'",
    [tool_call_id],
  );
const inboxOf = (tool_call_id: string) =>
  rows<{ message_type: string; status: string; context_headers: Record<string, unknown> }>(
    "SELECT * FROM state.agent_inbox WHERE project_id = $1 AND correlation_id = $2 ORDER BY created_at, inbox_id",
    [tool_call_id],
  );
const commands = (tool_call_id: string) =>
  doorbell.rung.filter((ring) => ring.kind === "command" && ring.tool_call_id === tool_call_id);
const deep = async (depth: number): Promise<Running> => {
  const turn = await running("Caller");
  await kernel.test.pool.query("UPDATE state.agent_turns SET depth = $2 WHERE agent_turn_id = $1", [
    turn.agent_turn_id,
    depth,
  ]);
  return turn;
};

describe("115 what may be reported", () => {
  test("a call that nobody made is not_found; one of another project reads the same", async () => {
    const { tool_call_id } = await call(await running("Caller"), "weigh");
    const nowhere = await refused(() => report("tc_nobody"));
    const foreign = await refused(() => report(tool_call_id, { project_id: "other" }));
    expect([nowhere.code, nowhere.message.replace("tc_nobody", "ID")]).toEqual([
      foreign.code,
      foreign.message.replace(tool_call_id, "ID"),
    ]);
    expect(nowhere.code).toBe("not_found");
  });
  test("a call that a batch answers is not a tool service's", async () => {
    const turn = await running("Caller");
    const made = await fork(turn, { tasks: [toNew("Caller")] });
    for (const status of ["success", "running"] as const)
      expect((await refused(() => report(made.tool_call_id, { status }))).code).toBe("conflict");
    expect((await waitOf(made.tool_call_id))?.wait_status).toBe("waiting");
  });
});

describe("117 two reports of one call", () => {
  test("the second is late: one row, one card, one response edge", async () => {
    const { tool_call_id } = await call(await running("Caller"), "weigh");
    const first = await report(tool_call_id, { result: "three" });
    expect(await report(tool_call_id, { result: "four" })).toEqual({ status: "late", card_id: first.card_id });
    expect(await inboxOf(tool_call_id)).toHaveLength(1);
    expect((await resultsOf(tool_call_id)).map((card) => card.content.result)).toEqual(["three"]);
    expect((await edgesOf(tool_call_id)).map((edge) => edge.edge_phase)).toEqual(["request", "response"]);
  });
  test("many at once: one is received", async () => {
    const { tool_call_id } = await call(await running("Caller"), "weigh");
    const answers = await Promise.all(["a", "b", "c", "d"].map((result) => report(tool_call_id, { result })));
    expect(answers.map((answer) => answer.status).sort()).toEqual(["late", "late", "late", "received"]);
    expect(await resultsOf(tool_call_id)).toHaveLength(1);
  });
  test("a timeout and then a result: two rows, one response edge, and the journal says who was late", async () => {
    const turn = await running("Caller");
    const { tool_call_id } = await call(turn, "weigh");
    await expireNow(tool_call_id);
    expect(await expireTools(kernel)).toBe(1);
    expect(await report(tool_call_id)).toMatchObject({ status: "late" });
    expect(await report(tool_call_id)).toMatchObject({ status: "late" });
    expect((await inboxOf(tool_call_id)).map((row) => [row.message_type, row.status])).toEqual([
      ["timeout", "pending"],
      ["tool_result", "skipped"],
    ]);
    expect((await edgesOf(tool_call_id)).map((edge) => edge.edge_phase)).toEqual(["request", "response"]);
    const late = (await framesOf(kernel, P, "rejected_late")).filter(
      (frame) => frame.agent_turn_id === turn.agent_turn_id,
    );
    expect(late).toMatchObject([{ what: `result of ${tool_call_id}`, worker_id: "tool.weigh" }]);
  });
});

describe("a report at the same time as its deadline", () => {
  test("the second one changes nothing: the turn gets one answer", async () => {
    for (let round = 0; round < 8; round++) {
      const turn = await running("Caller");
      const { tool_call_id } = await call(turn, "weigh");
      await suspendTurn(kernel, { ...turn, tool_call_ids: [tool_call_id] });
      await expireNow(tool_call_id);
      const [answer, expired] = await Promise.all([report(tool_call_id), expireTools(kernel), expireTools(kernel)]);
      const wasInTime = answer.status === "received";
      if (wasInTime) expect(expired).toBe(0);
      expect(await resultsOf(tool_call_id)).toHaveLength(1);
      const row = await rowOf(tool_call_id, wasInTime ? "tool_result" : "timeout");
      const resumed = await resume(turn, row);
      expect(resumed).toMatchObject({ status: "running", turn_epoch: 2 });
      expect(resumed.results[0]?.card.content).toMatchObject({ status: wasInTime ? "success" : "timeout" });
    }
  });
  test("173 a passed deadline gives a result by the watchdog, tool_timeout", async () => {
    const turn = await running("Caller");
    const { tool_call_id, step_id } = await call(turn, "finish");
    await expireNow(tool_call_id);
    await expireTools(kernel);
    const rows = await kernel.test.pool.query(
      "SELECT * FROM cards WHERE tool_call_id = $1 AND metadata ->> 'type' = 'tool.result'",
      [tool_call_id],
    );
    expect(rows.rows[0]).toMatchObject({
      metadata: { author_id: "worker.watchdog", function_name: "finish", step_id },
      content: {
        status: "timeout",
        after_execution: "terminate",
        error: { code: "tool_timeout", message: expect.stringContaining("60 s") },
      },
    });
    expect(await expireTools(kernel)).toBe(0);
  });
});

describe("173 what the tool declares", () => {
  test("is stored with its result; the report's own setting overrides it, and so does the result's", async () => {
    const said = async (tool: string, given: object) => {
      const { tool_call_id } = await call(await running("Caller"), tool);
      await report(tool_call_id, given);
      return (await resultsOf(tool_call_id))[0]?.content.after_execution;
    };
    expect(await said("weigh", {})).toBe("suspend");
    expect(await said("finish", {})).toBe("terminate");
    expect(await said("finish", { result: { __cg_control: { after_execution: "suspend" } } })).toBe("suspend");
    expect(await said("weigh", { after_execution: "terminate" })).toBe("terminate");
  });
  test("is suspend if the tool was deleted meanwhile; nothing is lost", async () => {
    await saveTool("gone", { after_execution: "terminate", options: { timeout_ms: 5_000 } });
    const { tool_call_id } = await call(await running("Caller"), "gone");
    await deleteTool(kernel, { project_id: P, tool_name: "gone" });
    expect(await report(tool_call_id, { status: "running" })).toEqual({ status: "running" });
    expect(await report(tool_call_id)).toMatchObject({ status: "received" });
    expect((await resultsOf(tool_call_id))[0]?.content.after_execution).toBe("suspend");
  });
});

describe("179 185 where a result belongs", () => {
  test("its depth, trace and step are the call's, by report and by timeout", async () => {
    for (const how of ["report", "timeout"]) {
      const turn = await deep(3);
      const { tool_call_id, step_id } = await call(turn, "weigh");
      if (how === "report") await report(tool_call_id);
      else {
        await expireNow(tool_call_id);
        await expireTools(kernel);
      }
      const [request, response] = await edgesOf(tool_call_id);
      expect(request).toMatchObject({ recursion_depth: 3, source_step_id: step_id, trace_id: turn.turn.trace_id });
      expect(response).toMatchObject({ recursion_depth: 3, parent_step_id: step_id, trace_id: turn.turn.trace_id });
      expect((await inboxOf(tool_call_id))[0]?.context_headers).toMatchObject({
        "CG-Recursion-Depth": 3,
        "CG-Tool-Call-Id": tool_call_id,
      });
      expect((await resultsOf(tool_call_id))[0]?.metadata).toMatchObject({
        step_id,
        agent_turn_id: turn.agent_turn_id,
      });
    }
  });
  test("without a step it is recorded anyway", async () => {
    const { tool_call_id } = await call(await running("Caller"), "weigh");
    await kernel.test.pool.query("UPDATE state.turn_waiting_tools SET step_id = NULL WHERE tool_call_id = $1", [
      tool_call_id,
    ]);
    expect(await report(tool_call_id)).toMatchObject({ status: "received" });
    expect((await edgesOf(tool_call_id))[1]).toMatchObject({ edge_phase: "response", parent_step_id: null });
  });
});

describe("119 121 183 the command of a call", () => {
  test("119 one edge and one ring; the same call again is the same, and rings nobody", async () => {
    const turn = await running("Caller");
    const first = await call(turn, "weigh", { what: "gold" }, "same");
    const edges = await edgesOf(first.tool_call_id);
    expect(edges.map((edge) => edge.edge_phase)).toEqual(["request"]);
    expect(commands(first.tool_call_id)).toHaveLength(1);
    const { "state.edge_extra": edgesBefore, "state.turn_waiting_tools": waitsBefore } = await countRows(kernel);
    const again = await call(turn, "weigh", { what: "gold" }, "same");
    expect(again).toMatchObject({ tool_call_id: first.tool_call_id, deadline: first.deadline });
    expect(commands(first.tool_call_id)).toHaveLength(1);
    expect(await countRows(kernel)).toMatchObject({
      "state.edge_extra": edgesBefore,
      "state.turn_waiting_tools": waitsBefore,
    });
    expect(
      await rows("SELECT 1 FROM cards WHERE tenant_id = $1 AND tool_call_id = $2", [first.tool_call_id]),
    ).toHaveLength(1);
  });
  test("183 it carries all ids of the call; a wake-up carries none of them", async () => {
    const turn = await deep(2);
    const { tool_call_id, step_id } = await call(turn, "weigh");
    expect(commands(tool_call_id)).toMatchObject([
      {
        recursion_depth: 2,
        step_id,
        tool_call_id,
        turn_epoch: 1,
        parent_agent_turn_id: turn.turn.parent_turn_id,
        trace_id: turn.turn.trace_id,
      },
    ]);
    await report(tool_call_id);
    const wakeups = doorbell.rung.filter((ring) => ring.kind === "wakeup");
    expect(wakeups.length).toBeGreaterThan(0);
    for (const ring of wakeups)
      for (const key of ["recursion_depth", "step_id", "tool_call_id", "parent_agent_turn_id", "parent_step_id"])
        expect(ring).not.toHaveProperty(key);
  });
});
