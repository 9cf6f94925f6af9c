// Where cards came from and went, on turns created by the kernel itself, in this run and in another one.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DelegateResult } from "@/server/contract/delegation";
import { callersOf, type Running, toNew } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { countStatements } from "@/server/testing/statements";
import { launch } from "../launch/launch";
import { appendOutput } from "../turns/append-output";
import { readBoxLineage } from "./read-box-lineage";
import { readBoxSheet } from "./read-box-sheet";

const project_id = "lineage";
let kernel: TestKernel;
let boss: Running;
let child: DelegateResult;
const { running, accepted } = callersOf(() => kernel, project_id);

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, project_id, [{ name: "Boss" }, { name: "Helper" }]);
  await seedProject(kernel, "other");
  boss = await running("Boss");
  await appendOutput(kernel, {
    ...boss,
    cards: ["one", "two", "three"].map((content) => ({
      ...{ type: "agent.note", content, author_id: boss.agent_id },
    })),
  });
  child = await accepted(boss, toNew("Helper", { context_box_id: boss.turn.output_box_id }));
});
afterAll(() => kernel.close());

const lineageOf = (box_id: string | null, project = project_id) =>
  readBoxLineage(kernel, { project_id: project, box_id: box_id ?? "" });

test("sources have the cards of the sheet, and their tokens sum up to those of the box", async () => {
  const sheet = await readBoxSheet(kernel, { project_id, box_id: child.context_box_id });
  const { sources, sources_total } = await lineageOf(child.context_box_id);
  const counted = (some: { origin: string; cards: number }[]) =>
    some.map(({ origin, cards }) => `${origin} ${cards}`).toSorted();
  expect(counted(sources)).toEqual(counted(sheet.origins));
  expect(sources_total).toBe(sources.length);
  expect(sources.find(({ origin }) => origin === `box:${boss.turn.output_box_id}`)?.cards).toBe(3);
  expect(sources.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(sheet.token_sum);
});

test("heirs are the boxes that took its cards over, in its own run and in others", async () => {
  const { heirs, heirs_total, probes } = await lineageOf(boss.turn.output_box_id);
  expect(heirs).toMatchObject([
    { box_id: child.context_box_id, kind: "context", cards: 3, agent_turn_id: child.agent_turn_id },
  ]);
  expect([heirs_total, probes]).toEqual([1, 3]);
  const before = await lineageOf(child.context_box_id);
  expect(before.heirs).toEqual([]);
  const statements = await countStatements(kernel, (counting) =>
    readBoxLineage(counting, { project_id, box_id: boss.turn.output_box_id ?? "" }),
  );
  const { result } = await launch(kernel, {
    ...{ project_id, tool: "delegate_async", user: "ann" },
    args: toNew("Helper", { context_box_id: boss.turn.output_box_id }),
  });
  if (!("agent_turn_id" in result)) throw new Error("a delegation was launched");
  const after = await lineageOf(boss.turn.output_box_id);
  expect(after.heirs.map((heir) => heir.agent_turn_id)).toEqual([result.agent_turn_id, child.agent_turn_id]);
  expect(
    await countStatements(kernel, (counting) =>
      readBoxLineage(counting, { project_id, box_id: boss.turn.output_box_id ?? "" }),
    ),
  ).toBe(statements);
});

test("a box of another project and an unknown one get the same answer", async () => {
  await expect(lineageOf(child.context_box_id, "other")).rejects.toMatchObject({ code: "not_found" });
  await expect(lineageOf("none")).rejects.toMatchObject({ code: "not_found" });
});
