// A model has answered, and what it said is not accepted as the end of its turn.
import { afterAll, beforeAll, expect, test } from "vitest";
import { KernelError } from "@/server/contract/errors";
import { type Delivered, type DeliverInput, deliverTurn } from "@/server/kernel/turns/deliver-turn";
import { isFenced } from "@/server/kernel/turns/fenced";
import { startTurn } from "@/server/kernel/turns/start-turn";
import type { TurnRow } from "@/server/kernel/turns/turn-row";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { stepsOf } from "@/server/testing/steps";
import { launchTurn, turnOf } from "@/server/testing/turns";
import { createAudience } from "./audience";
import type { Model } from "./models/model";
import { runTurn } from "./run-turn";

let kernel: TestKernel;
const P = "refused-end";
const usage = { input_tokens: 7, output_tokens: 2 };
const wild: Model = {
  serialise: () => "{}",
  async *call() {
    yield { kind: "answer", text: "done", tool_calls: [], is_unfinished: false, usage };
  },
};
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Solo", worker_target: "t", llm_config: { provider: "wild" } }]);
});
afterAll(() => kernel.close());

/** One turn, run here, whose first end is answered by `first`. */
async function run(
  first: () => Promise<Delivered>,
): Promise<{ turn: TurnRow; ends: DeliverInput[]; running: Promise<void> }> {
  const { agent_turn_id, turn_epoch } = await launchTurn(kernel, P, { target: "Solo" });
  const started = await startTurn(kernel, {
    ...{ project_id: P, agent_turn_id, worker_id: "w" },
    turn_epoch: turn_epoch ?? 0,
  });
  if (isFenced(started)) throw new Error("nobody else serves this target");
  const ends: DeliverInput[] = [];
  const deliver = (end: DeliverInput) => (ends.push(end) === 1 ? first() : deliverTurn(kernel, end));
  const { turn } = started;
  const lost = new AbortController();
  const running = runTurn({
    kernel,
    worker_id: "w",
    models: { wild },
    turn,
    lost,
    audience: createAudience(),
    deliver,
  });
  return { turn, ends, running };
}

test("refused: the step is closed with what it used, once, and the turn fails with the reason", async () => {
  const { turn, ends, running } = await run(() => Promise.reject(new KernelError("bad_request", "too much of it")));
  await running;
  expect(ends).toHaveLength(2);
  expect(await stepsOf(kernel, turn)).toMatchObject([{ status: "completed", note: "delivers", usage }]);
  const ended = await turnOf(kernel, P, turn.agent_turn_id);
  expect(ended).toMatchObject({ status: "failed", error_code: "bad_request", tokens_in: 7, tokens_out: 2 });
});

test("lost: nothing more is written", async () => {
  const { turn, ends, running } = await run(async () => ({ fenced: true, current_epoch: 9 }));
  await expect(running).rejects.toThrow("lease");
  expect(ends).toHaveLength(1);
  expect(await stepsOf(kernel, turn)).toMatchObject([{ status: "started", usage: null }]);
});
