// A bundle is the run: exported, imported into another project and exported again, it is the same bytes.

import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readArtifacts } from "@/server/kernel/artifacts/read-artifacts";
import { artifactRefs, storeArtifacts } from "@/server/kernel/artifacts/store-artifacts";
import { storeEnvData } from "@/server/kernel/envdata/store";
import type { Kernel } from "@/server/kernel/kernel";
import { createProject } from "@/server/kernel/roster/create-project";
import { appendCards } from "@/server/kernel/turns/append-cards";
import { isFenced } from "@/server/kernel/turns/fenced";
import { lockTurn } from "@/server/kernel/turns/lock-turn";
import { withUnit } from "@/server/kernel/unit";
import { bundleBytes } from "@/server/testing/bundles";
import { callersOf } from "@/server/testing/callers";
import { openTestKernel, readTables, seedProject, type TestKernel } from "@/server/testing/kernel";
import { sharedFiles } from "@/server/testing/shared-data";
import { countStatements } from "@/server/testing/statements";
import { inNoTime, startTestWorker, untilTurn } from "@/server/testing/turns";
import { hastyTunables, playWholeRun } from "@/server/testing/whole-run";
import { startDemoRun } from "../demo/start-demo-run";
import { importRun } from "../importers/import-run";
import { importBundle } from "./import-bundle";
import { readTar } from "./read-tar";

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel({ tunables: hastyTunables });
});
afterAll(() => kernel.close());

const bundleOf = async (
  project_id: string,
  root_turn_id: string,
  redact = false,
  by: Kernel = kernel,
): Promise<Buffer> => bundleBytes(by, { project_id, root_turn_id, redact });
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

describe("the number of statements", () => {
  const statementsOf = async (cards: number) => {
    const project_id = `of_${cards}`;
    await seedProject(kernel, project_id, [{ name: "Boss" }]);
    const { running, deliver } = callersOf(() => kernel, project_id);
    const turn = await running("Boss");
    await withUnit(kernel, async (unit) => {
      const row = await lockTurn(unit, { ...turn, statuses: ["running"], what: "append" });
      if (isFenced(row)) throw new Error("the turn was fenced");
      const written = Array.from({ length: cards }, (_, i) => ({
        type: "agent.thought" as const,
        author_id: turn.agent_id,
        content: `t${i}`,
      }));
      await appendCards(unit, { row, cards: written });
    });
    await deliver(turn, "done");
    const { root_turn_id } = turn.turn;
    let bytes: Uint8Array = new Uint8Array();
    const out = await countStatements(kernel, async (counting) => {
      bytes = await bundleOf(project_id, root_turn_id, false, counting);
    });
    await makeProject(`${project_id}_copy`);
    const back = await countStatements(kernel, (counting) =>
      importBundle(counting, { project_id: `${project_id}_copy`, bytes }),
    );
    return { out, back };
  };

  test("of a bundle and of its import does not grow with the cards of a page", async () => {
    // Cards are read by 64.
    expect(await statementsOf(50)).toEqual(await statementsOf(3));
  });
});

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

  test("of a run that kept values, and has a small and a large file", async () => {
    await seedProject(kernel, "kept", [{ name: "Boss" }]);
    const { running, deliver } = callersOf(() => kernel, "kept");
    const turn = await running("Boss");
    const { root_turn_id } = turn.turn;
    for (const [key, value] of [
      ["a_list", [1, null, { deep: "\u2028 and \ud83d\ude82" }]],
      ["text", "of a person"],
    ] as const)
      await storeEnvData(kernel, {
        project_id: "kept",
        by: { root_turn_id, user: "ann" },
        key,
        short_description: key,
        value,
      });
    const large = randomBytes(2_500_000);
    const files = [
      { mime: "image/png", bytes: large },
      { mime: "text/plain", bytes: Buffer.from("small") },
    ];
    const artifacts = artifactRefs(files, kernel.tunables.artifactBytesMax);
    const content = { kind: "tool_result", status: "success", result: "two files", artifacts } as const;
    await withUnit(kernel, async (unit) => {
      const row = await lockTurn(unit, { ...turn, statuses: ["running"], what: "append" });
      if (isFenced(row)) throw new Error("the turn was fenced");
      await storeArtifacts(unit, { project_id: "kept", files });
      await appendCards(unit, { row, cards: [{ type: "tool.result", author_id: turn.agent_id, content }] });
    });
    await deliver(turn, "kept");
    await comesBack("kept", root_turn_id);
    // As a model is sent it, and as the browser shows it.
    const [picture] = await readArtifacts(kernel, { project_id: "kept_copy", sha256s: [artifacts[0]?.sha256 ?? ""] });
    expect(picture?.bytes.equals(large)).toBe(true);
    const { rows: values } = await kernel.db.pool.query(
      "SELECT key, value FROM state.env_data WHERE project_id = 'kept_copy' ORDER BY key",
    );
    expect(values).toEqual([
      { key: "a_list", value: [1, null, { deep: "\u2028 and \ud83d\ude82" }] },
      { key: "text", value: "of a person" },
    ]);
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
