// Where a pack has gone: the boxes of the turns it was handed to, and those it was handed on to.
import { afterAll, beforeAll, expect, test } from "vitest";
import { callersOf, toNew } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { countStatements } from "@/server/testing/statements";
import { listPackHolders } from "./list-pack-holders";

let kernel: TestKernel;
const P = "pack_holders";
const { run, running, accepted } = callersOf(() => kernel, P);
beforeAll(async () => {
  kernel = await openTestKernel();
  const allowed_tools = ["delegate_async"];
  await seedProject(kernel, P, [
    { name: "Boss", allowed_tools },
    { name: "Plain", allowed_tools },
  ]);
  await seedProject(kernel, "elsewhere", [{ name: "Plain" }]);
});
afterAll(() => kernel.close());

const goal = (text: string) => ({ goal: text, definition_of_done: ["done"] });
const found = async (goal: string): Promise<{ sha256: string; pack_id: string }> => {
  const { rows } = await kernel.db.pool.query<{ sha256: string; pack_id: string }>(
    "SELECT sha256, pack_id FROM resource.context_packs WHERE project_id = $1 AND goal = $2",
    [P, goal],
  );
  if (!rows[0]) throw new Error(`no pack for ${goal}`);
  return rows[0];
};

test("each turn that was given the pack has its box there, and so has the turn it was handed on to", async () => {
  const boss = await running("Boss");
  const first = await accepted(boss, toNew("Plain", { context_pack: goal("Travel.") }));
  const { sha256: pack, pack_id } = await found("Travel.");
  const second = await accepted(boss, toNew("Plain", { context_pack: { pack_id } }));
  const onward = await run(first.agent_id, first.agent_turn_id, first.turn_epoch ?? 0);
  const third = await accepted(onward, toNew("Plain", { context_box_id: first.context_box_id }));
  const holders = await listPackHolders(kernel, { project_id: P, pack });
  expect(holders).toMatchObject({ box_count: 3, is_all: true });
  expect(holders.boxes.map(({ turn }) => turn?.agent_turn_id)).toEqual(
    [third, second, first].map(({ agent_turn_id }) => agent_turn_id),
  );
  const [box] = holders.boxes.slice(-1);
  expect(box).toMatchObject({ kind: "context", box_id: first.context_box_id, position: 1 });
  expect(box?.tokens).toBeGreaterThan(0);
});

test("a pack of another project is not found", async () => {
  const boss = await running("Boss");
  await accepted(boss, toNew("Plain", { context_pack: goal("Known here.") }));
  const { sha256: pack } = await found("Known here.");
  expect(await listPackHolders(kernel, { project_id: P, pack })).toMatchObject({ box_count: 1 });
  await expect(listPackHolders(kernel, { project_id: "elsewhere", pack })).rejects.toMatchObject({ code: "not_found" });
});

test("two statements, however many boxes", async () => {
  const boss = await running("Boss");
  await accepted(boss, toNew("Plain", { context_pack: goal("Counted.") }));
  const { sha256: pack, pack_id } = await found("Counted.");
  const count = await countStatements(kernel, (counting) => listPackHolders(counting, { project_id: P, pack }));
  expect(count).toBe(2);
  for (let i = 0; i < 4; i++) await accepted(boss, toNew("Plain", { context_pack: { pack_id } }));
  expect(await countStatements(kernel, (counting) => listPackHolders(counting, { project_id: P, pack }))).toBe(count);
  expect(await listPackHolders(kernel, { project_id: P, pack })).toMatchObject({ box_count: 5 });
});
