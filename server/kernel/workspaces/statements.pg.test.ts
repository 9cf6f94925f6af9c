// What an index, a search and a pack of a workspace ask of the database. Batches and pages are of bounded size, and within one the
// number of statements does not grow with the files.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PackToBuildOverRest } from "@/server/contract/context-pack/request";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { countStatements } from "@/server/testing/statements";
import { buildContextPack } from "../packs/build-context-pack";
import { withUnit } from "../unit";
import { indexWorkspace } from "./index-workspace";
import { openWorkspace } from "./open-workspace";
import { readWorkspace } from "./read-workspaces";
import { saveWorkspace } from "./save-workspace";

let kernel: TestKernel;
const project_id = "counted";
const root = fs.mkdtempSync(path.join(os.tmpdir(), "counted-"));
const sizes = { few: 10, full: 128, twice: 256, many: 900 };

beforeAll(async () => {
  const folders = Object.keys(sizes).map((name) => [name, { path: path.join(root, name) }]);
  kernel = await openTestKernel({ workspaceFolders: Object.fromEntries(folders) });
  await seedProject(kernel, project_id);
  for (const [name, files] of Object.entries(sizes)) {
    fs.mkdirSync(path.join(root, name));
    for (let i = 0; i < files; i++)
      fs.writeFileSync(path.join(root, name, `f${i}.ts`), `import "./f${(i + 1) % files}";\n// turntable ${i}\n`);
    await withUnit(kernel, (unit) => saveWorkspace(unit, { project_id, name, kind: "folder" }));
  }
});
afterAll(async () => {
  await kernel.close();
  fs.rmSync(root, { recursive: true, force: true });
});

const index = async (name: string) => {
  const statements = await countStatements(kernel, async (counting) => {
    await (await indexWorkspace(counting, { project_id, name })).over;
  });
  expect(await readWorkspace(kernel, { project_id, name })).toMatchObject({
    state: "ready",
    done: sizes[name as "few"],
  });
  return statements;
};

test("an index: statements by batch of 128 files, and by page of 500 that are linked; the second writes no files", async () => {
  const first = {
    few: await index("few"),
    full: await index("full"),
    twice: await index("twice"),
    many: await index("many"),
  };
  // The same for 10 files as for 128, as they are one batch and one page.
  expect(first.full).toBe(first.few);
  const batch = first.twice - first.full;
  expect(batch).toBeLessThanOrEqual(8);
  // 900 files are 8 batches and two pages of links.
  expect(first.many - first.few).toBeLessThanOrEqual(7 * batch + 6);
  // Per batch the write of the files is left out.
  expect(await index("many")).toBe(first.many - 8);
});

test("a search: as many statements for 900 files as for 10", async () => {
  const search = (name: string) =>
    countStatements(kernel, async (counting) => {
      const view = await openWorkspace(counting, { project_id, name });
      expect(await view.search("turntable", 20)).toHaveLength(Math.min(20, sizes[name as "few"]));
    });
  expect(await search("few")).toBe(4);
  expect(await search("many")).toBe(4);
});

test("a pack: as many statements for 900 files as for 128", async () => {
  const build = (workspace: string) =>
    countStatements(kernel, (counting) => {
      const request = PackToBuildOverRest.parse({
        goal: "Turn the turntable.",
        definition_of_done: ["It turns."],
        workspace,
      });
      return buildContextPack(counting, { project_id, request, created_by: "test" });
    });
  const full = await build("full");
  expect(await build("many")).toBe(full);
  expect(full).toBeLessThanOrEqual(30);
});
