// Turns from launch to deliverable, by a worker on a real database: cases 163 to 171 and 177 of the kernel's list.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { BoxCard } from "@/server/contract/box";
import { readBoxCards } from "@/server/kernel/cardbox/read-box-cards";
import { saveTool } from "@/server/kernel/roster/save-tool";
import { tunables } from "@/server/kernel/tunables";
import type { TurnRow } from "@/server/kernel/turns/turn-row";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import {
  deliverableOf,
  framesOf,
  launchTurn,
  outputOf,
  scripted,
  startTestWorker,
  untilTurn,
} from "@/server/testing/turns";
import type { Worker } from "./loop";
import type { Model, ModelAnswer } from "./models/model";

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
async function run(script: Parameters<typeof scripted>[1], more: object = {}, instruction?: string): Promise<TurnRow> {
  await seedProject(kernel, P, [scripted("Solo", script, { ...more })]);
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo", instruction });
  return untilTurn(kernel, P, agent_turn_id);
}

/** The same with a model of the test's own. */
async function runWild(call: Model["call"]): Promise<TurnRow> {
  const models = { wild: { serialise: () => "", call } };
  await seedProject(kernel, P, [{ name: "Solo", worker_target: P, llm_config: { provider: "wild" } }]);
  const wild = await startTestWorker(kernel, { worker_id: P, targets: [P], models });
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo" });
  const turn = await untilTurn(kernel, P, agent_turn_id);
  await wild.stop();
  return turn;
}

const shape = (cards: BoxCard[]) => cards.map((card) => card.type);
const resultsIn = (cards: BoxCard[]) =>
  cards.flatMap((card) => (card.content?.kind === "tool_result" ? [card.content] : []));
const codesIn = (cards: BoxCard[]) => resultsIn(cards).map((result) => result.error?.code ?? result.status);

type StepRow = {
  step_id: string;
  ordinal: number;
  status: string;
  request_box_id: string;
  request_bytes: Buffer;
  sha_is_right: boolean;
  tool_call_ids: string[];
  error: string | null;
};
async function stepsOf(turn: TurnRow): Promise<StepRow[]> {
  const { rows } = await kernel.db.pool.query<StepRow>(
    `SELECT *, request_sha256 = encode(sha256(request_bytes), 'hex') AS sha_is_right
     FROM state.agent_steps WHERE project_id = $1 AND agent_turn_id = $2 ORDER BY ordinal`,
    [turn.project_id, turn.agent_turn_id],
  );
  return rows;
}
type Sent = { system: string; messages: { role: string; text: string }[]; tools: { tool_name: string }[] };
const sent = (step: StepRow | undefined): Sent => JSON.parse(step?.request_bytes.toString() ?? "null");

describe("a turn", () => {
  test("thinks, calls and delivers; each step keeps what was sent, byte for byte", async () => {
    const turn = await run([
      { think: "about {instruction}" },
      { call: "think", arguments: { thought: "hm" }, say: "aloud" },
      { deliver: "done: {result.1.status}" },
    ]);
    expect(turn).toMatchObject({ status: "success", step_count: 3, error: null, lease_holder: null });
    const cards = await outputOf(kernel, turn);
    expect(shape(cards)).toEqual(["agent.thought", "agent.thought", "tool.call", "tool.result", "task.deliverable"]);
    expect(await deliverableOf(kernel, turn)).toBe("done: noted");
    const steps = await stepsOf(turn);
    expect(steps.map((s) => [s.ordinal, s.status, s.sha_is_right])).toEqual([
      [1, "completed", true],
      [2, "completed", true],
      [3, "completed", true],
    ]);
    expect(steps[1]?.tool_call_ids).toEqual([cards[2]?.tool_call_id]);
    expect(sent(steps[0]).messages.at(-1)?.text).toContain("begin");
    expect(
      sent(steps[2])
        .messages.map((m) => m.role)
        .slice(-3),
    ).toEqual(["assistant", "assistant", "tool"]);
    const box = await readBoxCards(kernel, { project_id: P, box_id: steps[2]?.request_box_id ?? "" });
    expect(shape(box.cards).slice(0, 2)).toEqual(["sys.rendered_prompt", "sys.tools"]);
    expect(shape(box.cards).slice(-3)).toEqual(["agent.thought", "agent.thought", "tool.result"]);
    expect(turn.tokens_in).toBeGreaterThan(0);
    expect(await framesOf(kernel, P, "task")).toHaveLength(2);
  });

  test("fails with a deliverable that says so", async () => {
    const turn = await run([{ think: "x" }, { fail: "the source is gone" }]);
    expect(turn).toMatchObject({ status: "failed", error_code: "script_failed", error: "the source is gone" });
    expect(await deliverableOf(kernel, turn)).toMatchObject({ kind: "fallback_deliverable", status: "failed" });
    expect((await stepsOf(turn)).at(-1)).toMatchObject({ status: "failed", error: "the source is gone" });
  });

  test("of a provider without a model fails at once and names the remedy", async () => {
    await seedProject(kernel, P, [{ name: "Solo", llm_config: { provider: "gemini", model: "gemini-3" } }]);
    const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo" });
    const turn = await untilTurn(kernel, P, agent_turn_id);
    expect(turn).toMatchObject({
      status: "failed",
      error_code: "bad_request",
      error: "llm_config: provider gemini has no model in this version; use provider: script",
    });
  });

  test("at depth 20 does not run", async () => {
    await seedProject(kernel, P, [scripted("Solo", [{ deliver: "x" }], { worker_target: "nobody" })]);
    const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo" });
    // No delegation gets this deep, so the turn is put there by hand before anybody may take it.
    await kernel.db.pool.query("UPDATE state.agent_turns SET depth = 20 WHERE agent_turn_id = $1", [agent_turn_id]);
    const deep = await startTestWorker(kernel, { worker_id: "deep", targets: ["nobody"] });
    const turn = await untilTurn(kernel, P, agent_turn_id);
    await deep.stop();
    expect(turn).toMatchObject({ status: "failed", error_code: "recursion_depth_exceeded" });
  });

  test("writes what no database can hold as U+FFFD and notes it", async () => {
    const answers: Partial<ModelAnswer>[] = [
      { text: "a\u0000b", is_unfinished: true },
      {
        text: "",
        tool_calls: [{ tool_name: "think\u0000", arguments: '{"thought": "\\u0000"}', provider_call_id: "call_0" }],
      },
      { text: "c\ud800" },
    ];
    const turn = await runWild(async function* () {
      yield { kind: "note", note: "n\u0000" };
      yield { kind: "answer", text: "", tool_calls: [], is_unfinished: false, ...answers.shift() };
    });
    expect(turn.status).toBe("success");
    const [thought, , call, result] = await outputOf(kernel, turn);
    expect(thought).toMatchObject({ content: { text: "a\uFFFDb" }, metadata: { is_mended: true } });
    expect(call).toMatchObject({ content: { tool_name: "think\uFFFD" }, metadata: { provider_call_id: "call_0" } });
    expect(result?.content).toMatchObject({ error: { code: "not_found" } });
    expect(await deliverableOf(kernel, turn)).toBe("c\uFFFD");
  });

  test("of a model that breaks, or falls silent, fails and says why", async () => {
    const broken = await runWild(async function* () {
      yield { kind: "delta", text: "so f" };
      throw new Error("socket hang up \u0000");
    });
    expect(broken).toMatchObject({ status: "failed", error_code: "internal_error", error: "socket hang up \uFFFD" });
    expect((await stepsOf(broken)).at(-1)).toMatchObject({ status: "failed", error: "socket hang up \uFFFD" });
    P = `${P}b`;
    const silent = await runWild(async function* () {
      yield { kind: "delta", text: "so f" };
    });
    expect(silent).toMatchObject({ status: "failed", error_code: "upstream_unavailable" });
  });

  // Case 163, without a model that can add.
  test("of an agent used again goes on in its output box, and reads the new instruction last", async () => {
    const first = await run([{ deliver: "heard {instruction}" }], {}, "1+1");
    const { agent_turn_id } = await launchTurn(kernel, P, {
      target: first.agent_id,
      strategy: "reuse",
      instruction: "2+3",
    });
    const second = await untilTurn(kernel, P, agent_turn_id);
    expect(second.output_box_id).toBe(first.output_box_id);
    expect(await deliverableOf(kernel, second)).toBe("heard 2+3");
    const [step] = await stepsOf(second);
    const { messages } = sent(step);
    expect(messages[0]).toMatchObject({ role: "assistant", text: "heard 1+1" });
    expect(messages.at(-1)).toMatchObject({ role: "user" });
    expect(messages.at(-1)?.text).toMatch(/2\+3$/);
    const box = await readBoxCards(kernel, { project_id: P, box_id: second.output_box_id ?? "" });
    expect(box.cards.map((card) => (card.content?.kind === "text" ? card.content.text : card.type))).toEqual([
      "heard 1+1",
      "heard 2+3",
    ]);
  });
});

describe("tools", () => {
  // Case 171.
  test("unknown, malformed and broken calls have failed results, and the turn goes on", async () => {
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

  // Case 177 and K15.
  test("that the profile does not list are refused when called", async () => {
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
    for (const [target, codes] of [
      ["Solo", ["auth_failed", "auth_failed", "auth_failed"]],
      ["Searcher", ["not_available"]],
    ] as const) {
      const { agent_turn_id } = await launchTurn(kernel, P, { target });
      const turn = await untilTurn(kernel, P, agent_turn_id);
      expect(turn.status).toBe("success");
      expect(codesIn(await outputOf(kernel, turn))).toEqual(codes);
    }
  });

  test("that would suspend answer that they come later", async () => {
    const turn = await run([{ calls: [{ call: "fork_join" }, { call: "ask_expert" }] }, { deliver: "x" }], {
      allowed_tools: ["fork_join", "ask_expert"],
    });
    expect(codesIn(await outputOf(kernel, turn))).toEqual(["not_available", "not_available"]);
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

describe("the end of a turn", () => {
  const required = (...names: string[]) => ({
    allowed_internal_tools: ["submit_result"],
    result_fields: names.map((name) => ({ name, description: name })),
  });
  const fields = (...list: [string, unknown][]) => ({ fields: list.map(([name, value]) => ({ name, value })) });

  // Case 167.
  test("by submit_result: missing and double names are listed, the order is the required one", async () => {
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
    expect(messages[2]).toContain("only call");
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
    expect(shape(await outputOf(kernel, turn))).toEqual([
      "agent.thought",
      "sys.must_end_with_required",
      "agent.thought",
      "tool.call",
      "tool.result",
      "task.deliverable",
    ]);
    const { messages } = sent((await stepsOf(turn))[1]);
    expect(messages.at(-1)).toMatchObject({ role: "user" });
    expect(messages.at(-1)?.text).toContain("submit_result");
  });

  // Case 165.
  test("max_steps: a warning two steps before, and only submit_result in the last one", async () => {
    const four = Array.from({ length: 4 }, () => ({ think: "on and on" }));
    const turn = await run(four, { max_steps: 4, ...required("a") });
    expect(turn).toMatchObject({ status: "failed", error_code: "max_steps_reached", step_count: 4 });
    expect(await deliverableOf(kernel, turn)).toMatchObject({ kind: "fallback_deliverable" });
    const requests = (await stepsOf(turn)).map(sent);
    expect(requests.map((r) => r.system.includes("## Step budget"))).toEqual([false, false, true, true]);
    expect(requests.map((r) => r.tools.map((t) => t.tool_name))).toEqual([
      ["think", "list_capabilities", "submit_result"],
      ["think", "list_capabilities", "submit_result"],
      ["think", "list_capabilities", "submit_result"],
      ["submit_result"],
    ]);
  });

  test("max_steps: the tools stay as they are where submit_result is not allowed", async () => {
    const turn = await run([{ think: "x" }, { deliver: "y" }], { max_steps: 2 });
    const last = sent((await stepsOf(turn)).at(-1));
    expect(last.tools.map((t) => t.tool_name)).toEqual(["think", "list_capabilities"]);
    expect(last.system).toContain("## Step budget");
    expect(turn.status).toBe("success");
  });

  // Case 169. The row is of a kind that no worker of this version reads, and is consumed by hand.
  test("submit_result waits until everything sent to the turn has been read", async () => {
    await seedProject(kernel, P, [
      scripted("Solo", [{ fields: { a: "1" } }, { wait_ms: 400 }, { fields: { a: "2" } }], {
        ...required("a"),
        worker_target: "later",
      }),
    ]);
    const { agent_id, agent_turn_id } = await launchTurn(kernel, P, { target: "Solo" });
    await kernel.db.pool.query(
      `INSERT INTO state.agent_inbox (project_id, inbox_id, agent_id, message_type, correlation_id, agent_turn_id, worker_target, status, processed_at)
       VALUES ($1, 'row', $2, 'tool_result', 'c', $3, 'later', 'processing', now())`,
      [P, agent_id, agent_turn_id],
    );
    const later = await startTestWorker(kernel, { worker_id: "later", targets: ["later"] });
    await untilTurn(kernel, P, agent_turn_id, async (turn) => resultsIn(await outputOf(kernel, turn)).length > 0);
    await kernel.db.pool.query(
      "UPDATE state.agent_inbox SET status = 'consumed' WHERE project_id = $1 AND inbox_id = 'row'",
      [P],
    );
    const turn = await untilTurn(kernel, P, agent_turn_id);
    await later.stop();
    expect(codesIn(await outputOf(kernel, turn))).toEqual(["inbox_not_empty", "success"]);
    expect(await deliverableOf(kernel, turn)).toEqual({ fields: [{ name: "a", value: "2" }] });
  });
});
