// The demo shows gauges: every scripted turn has a window, and its requests fit.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TurnRow } from "@/server/kernel/turns/turn-row";
import { openTestKernel, type TestKernel } from "@/server/testing/kernel";
import { inNoTime, startTestWorker } from "@/server/testing/turns";
import { ensureDemo } from "./ensure-demo";

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel();
});
afterAll(() => kernel.close());

test("the fullest request of every turn of the demo fits its window, and fills some of it", async () => {
  await ensureDemo(kernel);
  const worker = await startTestWorker(kernel, { models: { script: inNoTime } });
  const turns = async () =>
    (
      await kernel.db.pool.query<TurnRow>(
        "SELECT * FROM state.agent_turns WHERE project_id = 'demo' AND NOT is_human ORDER BY headcode",
      )
    ).rows;
  const open = async () => (await turns()).filter((turn) => turn.ended_at === null).length;
  await expect.poll(async () => ((await turns()).length > 9 ? await open() : 99), { timeout: 20_000 }).toBe(0);
  await worker.stop();
  const shares = (await turns()).map(({ headcode, fullest_tokens, window_tokens }) => ({
    headcode,
    share: (fullest_tokens ?? 0) / (window_tokens ?? 1),
  }));
  for (const { headcode, share } of shares) {
    expect(share, headcode).toBeGreaterThan(0.1);
    expect(share, headcode).toBeLessThan(0.98);
  }
  // One of them is tight, which the gauge shows.
  expect(Math.max(...shares.map(({ share }) => share))).toBeGreaterThan(0.8);
}, 40_000);
