// A card has at most 1 MiB by every route, and numbers too large for a table are refused with a message.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { foreignWorker } from "@/server/testing/foreign-worker";
import { openTestKernel, type TestKernel } from "@/server/testing/kernel";

let kernel: TestKernel;
const { settle, at, path, act, ok, refused, started, step } = foreignWorker(() => kernel);
beforeAll(async () => {
  kernel = await openTestKernel();
});
afterAll(() => kernel.close());
beforeEach(settle);

const MIB = 1_048_576;
const whole = "x".repeat(MIB);
const large = `${whole}x`;

describe("over 1 MiB is 413, and leaves nothing behind", () => {
  const tooLarge = { status: 413, error_code: "payload_too_large" };
  test.each([
    ["cards", "/cards", { cards: [{ type: "task.context", content: large }] }],
    ["metadata of cards", "/cards", { cards: [{ type: "task.context", content: "", metadata: { large } }] }],
    ["boxes", "/boxes", { cards: [{ type: "task.context", content: { kind: "json", data: large } }] }],
    [
      "a launch",
      "/pmo/delegate_async:call",
      { args: { target_strategy: "new", target_ref: "Helper", instruction: large } },
    ],
    ["a question", "/pmo/ask_expert:call", { args: { expert_profile: "Helper", question: large } }],
  ])("%s", async (_what, to, body) => {
    expect(await refused("POST", at(to), { body })).toMatchObject(tooLarge);
  });
  test("what a worker appends, calls with, reports and delivers", async () => {
    const turn = await started("Boss");
    const step_id = await step(turn);
    const call = { step_id, tool_name: "slow", client_call_id: "c1" };
    const { tool_call_id } = await act(turn, "call", { ...call, arguments: {} });
    const { epoch } = turn;
    const asked: [string, object][] = [
      [path(turn, "append"), { epoch, cards: [{ type: "agent.thought", content: large }] }],
      [path(turn, "call"), { ...call, epoch, client_call_id: "c2", arguments: { large } }],
      [path(turn, "deliver"), { epoch, content: large, status: "success" }],
      [at(`/tool-calls/${tool_call_id}:report`), { status: "success", result: large }],
    ];
    for (const [to, body] of asked) expect(await refused("POST", to, { body }), to).toMatchObject(tooLarge);
  });
  test("exactly 1 MiB is a card", async () => {
    await ok("POST", at("/cards"), { cards: [{ type: "task.context", content: whole }] });
  });
});

test("numbers that no table holds are refused by name, and never a 500", async () => {
  const task = { target_strategy: "new", target_ref: "Helper", instruction: "x" };
  const asked: [string, object, string][] = [
    ["/pmo/fork_join:call", { args: { tasks: [task], deadline_seconds: 1e12 } }, "deadline_seconds"],
    ["/pmo/fork_join:call", { args: { tasks: [task], max_parallel: 2 ** 40 } }, "max_parallel"],
    ["/cards", { cards: [{ type: "t", content: "x", ttl_seconds: 2 ** 40 }] }, "ttl_seconds"],
    ["/tools", { tool_name: "t", options: { timeout_ms: 1e15 } }, "timeout_ms"],
    ["/profiles", { name: "P", llm_config: { context_window: 1e12 } }, "context_window"],
    ["/boxes/batch", { box_ids: [], limit: 2 ** 40 }, "limit"],
  ];
  for (const [to, body, name] of asked) {
    const refusal = await refused("POST", at(to), { body });
    expect([refusal.status, refusal.error_message], to).toEqual([
      expect.toSatisfy((status: number) => status === 400 || status === 422),
      expect.stringContaining(name),
    ]);
  }
});
