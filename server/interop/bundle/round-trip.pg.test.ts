// A bundle is the run: exported, imported into another project and exported again, it is the same bytes.
import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createProject } from "@/server/kernel/roster/create-project";
import { openTestKernel, readTables, type TestKernel } from "@/server/testing/kernel";
import { sharedFiles } from "@/server/testing/shared-data";
import { inNoTime, startTestWorker, untilTurn } from "@/server/testing/turns";
import { hastyTunables, playWholeRun } from "@/server/testing/whole-run";
import { startDemoRun } from "../demo/start-demo-run";
import { importRun } from "../importers/import-run";
import { exportBundle } from "./export-bundle";
import { importBundle } from "./import-bundle";
import { readTar } from "./read-tar";

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel({ tunables: hastyTunables });
});
afterAll(() => kernel.close());

const bundleOf = async (project_id: string, root_turn_id: string, redact = false): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of await exportBundle(kernel, { project_id, root_turn_id, redact })) pieces.push(piece);
  return Buffer.concat(pieces);
};
const makeProject = (project_id: string) => createProject(kernel, { project_id, title: project_id });

async function partsOf(bytes: Uint8Array): Promise<Record<string, string>> {
  const folder = await readTar(bytes);
  const parts: Record<string, string> = {};
  for (const name of folder.names()) parts[name] = folder.facts(name).sha256;
  await folder.remove();
  return parts;
}

async function comesBack(project_id: string, root_turn_id: string): Promise<Buffer> {
  const first = await bundleOf(project_id, root_turn_id);
  expect((await bundleOf(project_id, root_turn_id)).equals(first)).toBe(true);
  const copy = `${project_id}_copy`;
  await makeProject(copy);
  const result = await importBundle(kernel, { project_id: copy, bytes: first });
  expect(result).toMatchObject({ root_turn_id, is_replay: false });
  const again = await bundleOf(copy, root_turn_id);
  // The parts first: they tell which one differs.
  expect(await partsOf(again)).toEqual(await partsOf(first));
  expect(again.equals(first)).toBe(true);
  const before = await readTables(kernel);
  expect(await importBundle(kernel, { project_id: copy, bytes: first })).toEqual({
    ...result,
    skipped: result.turns + result.cards + result.boxes + result.edges + result.agents,
    is_replay: true,
  });
  // In the project it came from, it is the run that is there.
  expect(await importBundle(kernel, { project_id, bytes: first })).toMatchObject({ is_replay: true });
  expect(await readTables(kernel)).toEqual(before);
  return first;
}

describe("the same bytes again", () => {
  test("of the demo run", { timeout: 60_000 }, async () => {
    const { root_turn_id, result } = await startDemoRun(kernel);
    if (!("agent_turn_id" in result)) throw new Error("the demo was launched and no turn came back");
    const worker = await startTestWorker(kernel, { models: { script: inNoTime } });
    await untilTurn(kernel, "demo", result.agent_turn_id);
    const live = "SELECT 1 FROM state.agent_turns WHERE project_id = 'demo' AND ended_at IS NULL";
    await expect.poll(async () => (await kernel.db.pool.query(live)).rowCount, { timeout: 20_000 }).toBe(0);
    await worker.stop();
    await comesBack("demo", root_turn_id);
  });

  test("of a run with forks, calls and people", { timeout: 120_000 }, async () => {
    await playWholeRun(kernel, kernel, 90_000);
    const { rows } = await kernel.db.pool.query<{ root_turn_id: string }>(
      "SELECT root_turn_id FROM state.runs WHERE project_id = 'whole'",
    );
    for (const { root_turn_id } of rows) await comesBack("whole", root_turn_id);
  });

  test("of an imported log", { timeout: 60_000 }, async () => {
    const [file] = sharedFiles("who-and-when", ".json");
    if (!file) throw new Error("a log of the shared data is needed");
    await makeProject("logs");
    const bytes = fs.readFileSync(file.path);
    const { root_turn_id } = await importRun(kernel, {
      project_id: "logs",
      bytes,
      format: "who-and-when",
      name: "a.json",
    });
    await comesBack("logs", root_turn_id);
  });
});
