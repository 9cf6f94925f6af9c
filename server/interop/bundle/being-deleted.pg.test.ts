// A run that is brought back while it is still being deleted. What was left of it passed for the new one's, and lost its content with it.

import fs from "node:fs";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { deleteRun } from "@/server/kernel/deletion/delete-run";
import { createProject } from "@/server/kernel/roster/create-project";
import { bundleBytes } from "@/server/testing/bundles";
import { untilDeleted } from "@/server/testing/deletions";
import { countRows, openTestKernel, readTables, seedProject, type TestKernel } from "@/server/testing/kernel";
import { launchTurn, scripted, startTestWorker, untilTurn } from "@/server/testing/turns";
import { importRun } from "../importers/import-run";
import { importBundle } from "./import-bundle";

let kernel: TestKernel;
const PHASES = ["close", "settle", "lay", "rows", "erase", "settle_cards", "drop"];
const P = "brought_back";
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [scripted("Echo", [{ think: "first" }, { deliver: "done: {instruction}" }])]);
});
afterAll(() => kernel.close());

async function ran(instruction: string): Promise<string> {
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Echo", instruction });
  const worker = await startTestWorker(kernel);
  onTestFinished(() => worker.stop());
  const turn = await untilTurn(kernel, P, agent_turn_id);
  await worker.stop();
  return turn.root_turn_id;
}

/** Its deletion, by a process that dies when it comes to `phase`. */
async function deletedUpTo(phase: string, run: { project_id: string; root_turn_id: string }): Promise<string> {
  const dies: TestKernel = {
    ...kernel,
    tunables: { ...kernel.tunables, purgeRowsMax: 20, purgeTickMs: 20_000 },
    probe: (point) => {
      if (point === `deletion-${phase}`) throw new Error("killed");
    },
  };
  await expect(deleteRun(dies, { ...run, by: "human_ann", reason: "" })).rejects.toThrow("killed");
  const { rows } = await kernel.db.pool.query<{ deletion_id: string }>(
    "SELECT deletion_id FROM state.deletions WHERE project_id = $1 AND subject_id = $2 AND ended_at IS NULL",
    [run.project_id, run.root_turn_id],
  );
  const [open] = rows;
  if (!open) throw new Error(`a deletion that died in ${phase} is not open`);
  return open.deletion_id;
}

test.each(PHASES)("in %s it is refused, nothing is written, and afterwards it is the same bytes", async (phase) => {
  const root_turn_id = await ran(`of pears and ${phase}`);
  const run = { project_id: P, root_turn_id };
  const bytes = await bundleBytes(kernel, { ...run, redact: false });
  const deletion_id = await deletedUpTo(phase, run);
  const before = await readTables(kernel);
  await expect(importBundle(kernel, { project_id: P, bytes })).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringMatching(
      new RegExp(`^run \\d+ is still being deleted; import it again when deletion ${deletion_id}`),
    ),
  });
  expect(await readTables(kernel)).toEqual(before);
  await untilDeleted(kernel, { project_id: P, deletion_id });
  expect(await importBundle(kernel, { project_id: P, bytes })).toMatchObject({ is_replay: false });
  expect((await bundleBytes(kernel, { ...run, redact: false })).equals(bytes)).toBe(true);
});

test.each(["rows", "erase", "drop"])("a log in %s, likewise", async (phase) => {
  const project_id = `log_${phase}`;
  await createProject(kernel, { project_id, title: project_id });
  const log = () => ({
    project_id,
    bytes: Buffer.from(fs.readFileSync("examples/logs/museum-hours.json")),
    format: "who-and-when" as const,
    name: "museum-hours.json",
  });
  const { root_turn_id, cards } = await importRun(kernel, log());
  const deletion_id = await deletedUpTo(phase, { project_id, root_turn_id });
  const before = await countRows(kernel);
  await expect(importRun(kernel, log())).rejects.toMatchObject({ code: "conflict", detail: { deletion_id } });
  expect(await countRows(kernel)).toEqual(before);
  await untilDeleted(kernel, { project_id, deletion_id });
  expect(await importRun(kernel, log())).toMatchObject({ is_replay: false, cards });
  const { rows } = await kernel.db.pool.query("SELECT 1 FROM cards WHERE tenant_id = $1 AND deleted_at IS NOT NULL", [
    project_id,
  ]);
  expect(rows).toEqual([]);
});

test("cards and boxes that another run takes along are refused too, and named", async () => {
  const root_turn_id = await ran("of shared plums");
  const bytes = await bundleBytes(kernel, { project_id: P, root_turn_id, redact: false });
  const going = async (text: string, values: string[]) => {
    await kernel.db.pool.query(text, values);
    await expect(importBundle(kernel, { project_id: "half_gone", bytes })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("is in the project and is being deleted; import again when deletion"),
    });
  };
  // The run's cards and boxes are there, and the run is not: as those of another run that holds them too.
  await createProject(kernel, { project_id: "half_gone", title: "half gone" });
  await importBundle(kernel, { project_id: "half_gone", bytes });
  const other = await ran("of other plums");
  await importBundle(kernel, {
    project_id: "half_gone",
    bytes: await bundleBytes(kernel, { project_id: P, root_turn_id: other, redact: false }),
  });
  const deletion_id = await deletedUpTo("erase", { project_id: "half_gone", root_turn_id: other });
  await kernel.db.pool.query(
    `WITH r AS (DELETE FROM state.runs WHERE project_id = 'half_gone' AND root_turn_id = $1)
     DELETE FROM state.agent_turns WHERE project_id = 'half_gone' AND root_turn_id = $1`,
    [root_turn_id],
  );
  await going("UPDATE card_boxes SET deletion_id = $1 WHERE tenant_id = 'half_gone'", [deletion_id]);
  await kernel.db.pool.query("UPDATE card_boxes SET deletion_id = NULL WHERE tenant_id = 'half_gone'");
  await going(
    `INSERT INTO state.deletion_cards (project_id, deletion_id, card_id)
     SELECT tenant_id, $1, card_id FROM cards WHERE tenant_id = 'half_gone' AND deleted_at IS NULL ON CONFLICT DO NOTHING`,
    [deletion_id],
  );
});
