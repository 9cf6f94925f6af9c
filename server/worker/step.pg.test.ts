// The steps of a turn: tools and their refusals, budgets, reminders, and the ways to end. Titles begin with the number of
// the kernel's case.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { reportResult } from "@/server/kernel/inbox/report-result";
import { saveTool } from "@/server/kernel/roster/save-tool";
import { tunables } from "@/server/kernel/tunables";
import type { TurnRow } from "@/server/kernel/turns/turn-row";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { codesIn, resultsIn, sent, stepsOf, typesOf } from "@/server/testing/steps";
import { deliverableOf, launchTurn, outputOf, scripted, startTestWorker, untilTurn } from "@/server/testing/turns";
import type { Worker } from "./loop";

let kernel: TestKernel;
let worker: Worker;
let P = "p0";
let n = 0;

beforeAll(async () => {
  kernel = await openTestKernel({ tunables: { ...tunables, pollMs: 100 } });
  worker = await startTestWorker(kernel, { targets: ["worker_generic"] });
});
afterAll(async () => {
  await worker.stop();
  await kernel.close();
});
beforeEach(() => {
  P = `p${++n}`;
});

/** One profile, one turn of it, to its end. */
async function run(script: Parameters<typeof scripted>[1], more: object = {}): Promise<TurnRow> {
  await seedProject(kernel, P, [scripted("Solo", script, { ...more })]);
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo" });
  return untilTurn(kernel, P, agent_turn_id);
}

describe("tools", () => {
  test("171 unknown, malformed and broken calls have failed results, and the turn continues", async () => {
    const turn = await run([
      { call: "no_such_tool" },
      { call: "think", arguments: "{not json" },
      { call: "think", arguments: "[1]" },
      { call: "think", arguments: {} },
      { deliver: "still here" },
    ]);
    expect(turn.status).toBe("success");
    const cards = await outputOf(kernel, turn);
    expect(codesIn(cards)).toEqual(["not_found", "bad_request", "bad_request", "bad_request"]);
    expect(resultsIn(cards)[1]?.error?.message).toContain("not JSON");
    expect(cards.find((card) => card.type === "tool.call" && card.position > 3)?.content).toMatchObject({
      arguments: "{not json",
    });
  });

  test("177 that the profile does not list are refused when called", async () => {
    await seedProject(kernel, P, [
      scripted("Solo", [
        { call: "web_search" },
        { call: "delegate_async" },
        { call: "submit_result" },
        { deliver: "x" },
      ]),
      scripted("Searcher", [{ call: "web_search" }, { deliver: "x" }], { allowed_tools: ["web_search"] }),
    ]);
    await saveTool(kernel, { project_id: P, tool: { tool_name: "web_search" } });
    const solo = await launchTurn(kernel, P, { target: "Solo" });
    const refused = await untilTurn(kernel, P, solo.agent_turn_id);
    expect(refused.status).toBe("success");
    expect(codesIn(await outputOf(kernel, refused))).toEqual(["auth_failed", "auth_failed", "auth_failed"]);

    const searcher = await launchTurn(kernel, P, { target: "Searcher" });
    const asleep = await untilTurn(kernel, P, searcher.agent_turn_id, "suspended");
    expect(asleep).toMatchObject({ note: "waits for web_search", lease_holder: null });
    const call = (await outputOf(kernel, asleep)).find((card) => card.type === "tool.call");
    const tool_call_id = call?.tool_call_id ?? "";
    expect(
      await reportResult(kernel, { project_id: P, tool_call_id, status: "success", result: "found" }),
    ).toMatchObject({
      status: "received",
    });
    const woken = await untilTurn(kernel, P, searcher.agent_turn_id);
    expect(woken).toMatchObject({ status: "success", turn_epoch: asleep.turn_epoch + 1 });
  });

  test("that would suspend the turn but are refused have failed results, and the turn continues", async () => {
    const turn = await run([{ calls: [{ call: "fork_join" }, { call: "ask_expert" }] }, { deliver: "x" }], {
      allowed_tools: ["fork_join", "ask_expert"],
    });
    expect(codesIn(await outputOf(kernel, turn))).toEqual(["bad_request", "bad_request"]);
    expect(turn.status).toBe("success");
  });

  test("delegate, launch and provision; refusals come back with their code and leave nothing", async () => {
    const child = scripted("Child", [{ deliver: "child of {display_name}" }]);
    const boss = scripted(
      "Boss",
      [
        { call: "delegate_async", arguments: { target_strategy: "new", target_ref: "Child", instruction: "go" } },
        { call: "launch_principal", arguments: { profile_name: "Child", instruction: "go too" } },
        { call: "provision_agent", arguments: { action: "ensure", agent_id: "kept", profile_name: "Child" } },
        {
          call: "delegate_async",
          arguments: { target_strategy: "reuse", target_ref: "{result.3.agent_id}", instruction: "and you" },
        },
        { call: "delegate_async", arguments: { target_strategy: "new", target_ref: "Nobody", instruction: "x" } },
        { call: "delegate_async", arguments: { target_strategy: "new", target_ref: "Child", instruction: " " } },
        { call: "list_capabilities" },
        { deliver: "ok" },
      ],
      { allowed_tools: ["delegate_async", "launch_principal", "provision_agent"] },
    );
    await seedProject(kernel, P, [boss, child]);
    const { agent_turn_id } = await launchTurn(kernel, P, { target: "Boss" });
    const turn = await untilTurn(kernel, P, agent_turn_id);
    const cards = await outputOf(kernel, turn);
    expect(codesIn(cards)).toEqual(["success", "success", "success", "success", "not_found", "bad_request", "success"]);
    expect(resultsIn(cards)[4]?.result).toMatchObject({ status: "rejected", error_code: "not_found" });
    const { rows } = await kernel.db.pool.query<{
      agent_turn_id: string;
      agent_id: string;
      parent_tool_call_id: string;
    }>("SELECT * FROM state.agent_turns WHERE project_id = $1 AND parent_turn_id = $2 ORDER BY created_at", [
      P,
      agent_turn_id,
    ]);
    expect(rows).toHaveLength(3);
    expect(rows[2]?.agent_id).toBe("kept");
    const calls = cards.filter((card) => card.type === "tool.call").map((card) => card.tool_call_id);
    expect(rows.map((row) => row.parent_tool_call_id)).toEqual([calls[0], calls[1], calls[3]]);
    for (const row of rows) expect((await untilTurn(kernel, P, row.agent_turn_id)).status).toBe("success");
  });
});

const everybody = [
  "think",
  "list_capabilities",
  ...["store", "get", "list", "update", "delete"].map((verb) => `${verb}_env_data`),
];

describe("the end of a turn", () => {
  const required = (...names: string[]) => ({
    allowed_internal_tools: ["submit_result"],
    result_fields: names.map((name) => ({ name, description: name })),
  });
  const fields = (...list: [string, unknown][]) => ({ fields: list.map(([name, value]) => ({ name, value })) });

  test("167 by submit_result: missing and double names are listed, the order is the required one", async () => {
    const turn = await run(
      [
        { call: "submit_result", arguments: JSON.stringify(fields(["b", 1], ["x", null])) },
        { call: "submit_result", arguments: JSON.stringify(fields(["a", 1], ["a", 2], ["b", 3])) },
        {
          calls: [
            { call: "submit_result", arguments: { a: "1", b: "2" } },
            { call: "think", arguments: { thought: "?" } },
          ],
        },
        { call: "submit_result", arguments: { a: "1", b: { k: 1 }, z: "q" } },
      ],
      required("a", "b"),
    );
    expect(turn.status).toBe("success");
    const cards = await outputOf(kernel, turn);
    const messages = resultsIn(cards).map((result) => result.error?.message ?? result.status);
    expect(messages[0]).toContain("missing ['a']");
    expect(messages[1]).toContain("duplicate ['a']");
    expect(messages[2]).toContain("only tool call");
    expect(messages.slice(3)).toEqual(["success", "success"]);
    expect(resultsIn(cards).at(-1)?.after_execution).toBe("terminate");
    expect(await deliverableOf(kernel, turn)).toEqual({
      fields: [
        { name: "a", value: "1" },
        { name: "b", value: '{"k":1}' },
        { name: "z", value: "q" },
      ],
    });
  });

  test("must_end_with: a text alone is answered with a reminder", async () => {
    const turn = await run([{ deliver: "too early" }, { fields: { a: "now" } }], {
      ...required("a"),
      must_end_with: ["submit_result"],
    });
    expect(turn.status).toBe("success");
    expect(typesOf(await outputOf(kernel, turn))).toEqual([
      "agent.thought",
      "sys.must_end_with_required",
      "agent.thought",
      "tool.call",
      "tool.result",
      "task.deliverable",
    ]);
    const { messages } = sent((await stepsOf(kernel, turn))[1]);
    expect(messages.at(-1)).toMatchObject({ role: "user" });
    expect(messages.at(-1)?.text).toContain("submit_result");
  });

  test("165 max_steps: a warning two steps before, and only submit_result in the last one", async () => {
    const four = Array.from({ length: 4 }, () => ({ think: "on and on" }));
    const turn = await run(four, { max_steps: 4, ...required("a") });
    expect(turn).toMatchObject({ status: "failed", error_code: "max_steps_reached", step_count: 4 });
    expect(await deliverableOf(kernel, turn)).toMatchObject({ kind: "fallback_deliverable" });
    const requests = (await stepsOf(kernel, turn)).map(sent);
    expect(requests.map((r) => r.system.includes("## Step budget"))).toEqual([false, false, true, true]);
    expect(requests.map((r) => r.tools.map((t) => t.tool_name))).toEqual([
      [...everybody, "submit_result"],
      [...everybody, "submit_result"],
      [...everybody, "submit_result"],
      ["submit_result"],
    ]);
  });

  test("165 max_steps: the tools stay as they are where submit_result is not allowed", async () => {
    const turn = await run([{ think: "x" }, { deliver: "y" }], { max_steps: 2 });
    const last = sent((await stepsOf(kernel, turn)).at(-1));
    expect(last.tools.map((t) => t.tool_name)).toEqual(everybody);
    expect(last.system).toContain("## Step budget");
    expect(turn.status).toBe("success");
  });

  // No worker of this version reads this kind of row, so the test consumes it by hand.
  test("169 submit_result waits until everything sent to the turn has been read", async () => {
    await seedProject(kernel, P, [
      scripted("Solo", [{ fields: { a: "1" } }, { wait_ms: 1_500 }, { fields: { a: "2" } }], {
        ...required("a"),
        worker_target: "later",
      }),
    ]);
    const { agent_id, agent_turn_id } = await launchTurn(kernel, P, { target: "Solo" });
    await kernel.db.pool.query(
      `INSERT INTO state.inbox_messages (project_id, inbox_id, agent_id, message_type, correlation_id, agent_turn_id, worker_target, status, processed_at)
       VALUES ($1, 'row', $2, 'tool_result', 'c', $3, 'later', 'processing', now())`,
      [P, agent_id, agent_turn_id],
    );
    const later = await startTestWorker(kernel, { worker_id: "later", targets: ["later"] });
    await untilTurn(kernel, P, agent_turn_id, async (turn) => resultsIn(await outputOf(kernel, turn)).length > 0);
    await kernel.db.pool.query(
      "UPDATE state.inbox_messages SET status = 'consumed' WHERE project_id = $1 AND inbox_id = 'row'",
      [P],
    );
    const turn = await untilTurn(kernel, P, agent_turn_id);
    await later.stop();
    expect(codesIn(await outputOf(kernel, turn))).toEqual(["inbox_not_empty", "success"]);
    expect(await deliverableOf(kernel, turn)).toEqual({ fields: [{ name: "a", value: "2" }] });
  });
});
