// An agent builds packs from the workspaces that its profile names, and from no others; it is told of them with its tools.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ProfileBody } from "@/server/contract/profile";
import { callersOf, type Running, toNew } from "@/server/testing/callers";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { readBoxCards } from "../cardbox/read-box-cards";
import { readTools } from "../tools/read-tools";
import { withUnit } from "../unit";
import { indexWorkspace } from "../workspaces/index-workspace";
import { saveWorkspace } from "../workspaces/save-workspace";

let kernel: TestKernel;
const P = "workspace_rights";
const { running, accepted, refused, call } = callersOf(() => kernel, P);
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "workspace-rights-"));
const allowed_tools = ["delegate_async", "build_context_pack"];
const reader = { name: "Reader", allowed_tools, workspaces: ["code"] };

beforeAll(async () => {
  for (const name of ["code", "other"]) {
    fs.mkdirSync(path.join(scratch, name));
    fs.writeFileSync(path.join(scratch, name, "turntable.ts"), `export const turn = "${name} turns";\n`);
  }
  kernel = await openTestKernel({
    workspaceFolders: Object.fromEntries(["code", "other"].map((name) => [name, { path: path.join(scratch, name) }])),
  });
  await seedProject(kernel, P, [reader, { name: "Plain", allowed_tools }]);
  for (const name of ["code", "other"]) {
    await withUnit(kernel, (unit) => saveWorkspace(unit, { project_id: P, name, kind: "folder" }));
    await (await indexWorkspace(kernel, { project_id: P, name })).over;
  }
});
afterAll(async () => {
  await kernel.close();
  fs.rmSync(scratch, { recursive: true, force: true });
});

const from = (workspace: string) => ({
  context_pack: { goal: "Turn the turntable.", definition_of_done: ["It turns."], workspace },
});
const sayOf = async (turn: Running, workspace: string) => {
  const before = await countRows(kernel);
  const error = await refused(() => call(turn, toNew("Plain", from(workspace))));
  expect(await countRows(kernel)).toEqual(before);
  return { code: error.code, path: error.detail?.path, message: error.message };
};

test("the files of a workspace that the profile names are handed over", async () => {
  const boss = await running("Reader");
  const child = await accepted(boss, toNew("Plain", from("code")));
  const { cards } = await readBoxCards(kernel, { project_id: P, box_id: child.context_box_id });
  const pack = cards.find(({ type }) => type === "context.pack");
  expect(pack?.content).toMatchObject({ data: { relevantFiles: [{ path: "turntable.ts" }] } });
  expect(JSON.stringify(pack)).not.toContain(scratch);
});

test("another workspace of the project, and any of a profile that names none, is refused alike, and nothing is written", async () => {
  const boss = await running("Reader");
  for (const name of ["other", "nowhere"])
    expect(await sayOf(boss, name)).toEqual({
      code: "auth_failed",
      path: "context_pack.workspace",
      message: `context_pack.workspace: the profile Reader does not name ${name} among its workspaces. Leave it out, or add it to the profile`,
    });
  expect((await sayOf(await running("Plain"), "code")).message).toContain("the profile Plain does not name code");
});

test("only who has workspaces is told of the parameter", async () => {
  const offered = async (body: object) => {
    const { offered } = await readTools(kernel, { project_id: P, profile: ProfileBody.parse(body) });
    return JSON.stringify(offered);
  };
  expect(await offered(reader)).toContain('"enum":["code"]');
  expect(await offered({ name: "Plain", allowed_tools })).not.toContain("A workspace of yours");
});
