// The sample logs that ship with the product: each can be imported and shows what it is an example of.
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { importRun } from "./import-run";

const folder = path.resolve(import.meta.dirname, "../../../examples/logs");
const names = fs.readdirSync(folder).filter((name) => name.endsWith(".json"));

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, "p1");
});
afterAll(() => kernel.close());

test.each(names)("%s becomes a run with the mistake that its log names", async (name) => {
  const bytes = fs.readFileSync(path.join(folder, name));
  const { root_turn_id, turns } = await importRun(kernel, { project_id: "p1", format: "who-and-when", bytes, name });
  expect(turns).toBeGreaterThan(2);
  const { mistake_reason } = JSON.parse(bytes.toString());
  const { rows } = await kernel.db.pool.query(
    "SELECT mark FROM state.agent_turns WHERE project_id = 'p1' AND root_turn_id = $1 AND mark IS NOT NULL",
    [root_turn_id],
  );
  expect(rows).toMatchObject([{ mark: { reason: mistake_reason } }]);
});
