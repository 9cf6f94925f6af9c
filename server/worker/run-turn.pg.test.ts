// Turns from launch to deliverable, by a worker on a real database.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readBoxCards } from "@/server/kernel/cardbox/read-box-cards";
import { tunables } from "@/server/kernel/tunables";
import type { TurnRow } from "@/server/kernel/turns/turn-row";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { sent, stepsOf, typesOf } from "@/server/testing/steps";
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

/** The same with the test's own model. */
async function runWild(call: Model["call"]): Promise<TurnRow> {
  const models = { wild: { serialise: () => "", call } };
  await seedProject(kernel, P, [{ name: "Solo", worker_target: P, llm_config: { provider: "wild" } }]);
  const wild = await startTestWorker(kernel, { worker_id: P, targets: [P], models });
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo" });
  const turn = await untilTurn(kernel, P, agent_turn_id);
  await wild.stop();
  return turn;
}

describe("a turn", () => {
  test("thinks, calls and delivers; each step keeps what was sent, byte for byte", async () => {
    const turn = await run([
      { think: "about {instruction}" },
      { call: "think", arguments: { thought: "hm" }, say: "aloud" },
      { deliver: "done: {result.1.status}" },
    ]);
    expect(turn).toMatchObject({ status: "success", step_count: 3, error: null, lease_holder: null });
    const cards = await outputOf(kernel, turn);
    expect(typesOf(cards)).toEqual(["agent.thought", "agent.thought", "tool.call", "tool.result", "task.deliverable"]);
    expect(await deliverableOf(kernel, turn)).toBe("done: noted");
    const steps = await stepsOf(kernel, turn);
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
    expect(typesOf(box.cards).slice(0, 2)).toEqual(["sys.rendered_prompt", "sys.tools"]);
    expect(typesOf(box.cards).slice(-3)).toEqual(["agent.thought", "agent.thought", "tool.result"]);
    expect(turn.tokens_in).toBeGreaterThan(0);
    expect(await framesOf(kernel, P, "task")).toHaveLength(2);
  });

  test("fails with a deliverable that says so", async () => {
    const turn = await run([{ think: "x" }, { fail: "the source is gone" }]);
    expect(turn).toMatchObject({ status: "failed", error_code: "script_failed", error: "the source is gone" });
    expect(await deliverableOf(kernel, turn)).toMatchObject({ kind: "fallback_deliverable", status: "failed" });
    expect((await stepsOf(kernel, turn)).at(-1)).toMatchObject({ status: "failed", error: "the source is gone" });
  });

  test("of a provider without a model fails at once and names the remedy", async () => {
    await seedProject(kernel, P, [{ name: "Solo", llm_config: { provider: "nobody", model: "gemini-3" } }]);
    const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo" });
    const turn = await untilTurn(kernel, P, agent_turn_id);
    expect(turn).toMatchObject({
      status: "failed",
      error_code: "model_config_invalid",
      error:
        "llm_config.provider: nobody is not a known provider; write one of openai, anthropic, google, moonshot, openrouter, ollama, vllm, openai-compatible, script",
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

  test("of a model that breaks or goes silent fails and says why", async () => {
    const broken = await runWild(async function* () {
      yield { kind: "delta", text: "so f" };
      throw new Error("socket hang up \u0000");
    });
    expect(broken).toMatchObject({ status: "failed", error_code: "internal_error", error: "socket hang up \uFFFD" });
    expect((await stepsOf(kernel, broken)).at(-1)).toMatchObject({ status: "failed", error: "socket hang up \uFFFD" });
    P = `${P}b`;
    const silent = await runWild(async function* () {
      yield { kind: "delta", text: "so f" };
    });
    expect(silent).toMatchObject({ status: "failed", error_code: "model_unavailable" });
  });

  // With a model that can add: streamed-turns.pg.test.ts.
  test("163 of a reused agent continues in its output box, and reads the new instruction last", async () => {
    const first = await run([{ deliver: "heard {instruction}" }], {}, "1+1");
    const { agent_turn_id } = await launchTurn(kernel, P, {
      target: first.agent_id,
      strategy: "reuse",
      instruction: "2+3",
    });
    const second = await untilTurn(kernel, P, agent_turn_id);
    expect(second.output_box_id).toBe(first.output_box_id);
    expect(await deliverableOf(kernel, second)).toBe("heard 2+3");
    const [step] = await stepsOf(kernel, second);
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
