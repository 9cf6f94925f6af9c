// A bundle is the run: exported, imported into another project and exported again, it is the same bytes.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { inNoTime, startTestWorker, untilTurn } from "@/server/testing/turns";
import { startDemoRun } from "../demo/start-demo-run";
import { exportBundle } from "./export-bundle";

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel();
});
afterAll(() => kernel.close());

const bundleOf = async (project_id: string, root_turn_id: string, redact = false): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of await exportBundle(kernel, { project_id, root_turn_id, redact })) pieces.push(piece);
  return Buffer.concat(pieces);
};

test("the demo run", async () => {
  const { root_turn_id, result } = await startDemoRun(kernel);
  const worker = await startTestWorker(kernel, { models: { script: inNoTime } });
  if (!("agent_turn_id" in result)) throw new Error("no turn");
  await untilTurn(kernel, "demo", result.agent_turn_id);
  await worker.stop();
  const first = await bundleOf("demo", root_turn_id);
  expect(await bundleOf("demo", root_turn_id)).toEqual(first);
}, 60000);
