// What the batch pages and the REST interface read, on forks created by the kernel itself.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ForkResult } from "@/server/contract/batch";
import { KernelError } from "@/server/contract/errors";
import { callersOf, type Running, toNew } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel, untilVisible } from "@/server/testing/kernel";
import { deleteCard } from "../artifacts/delete-card";
import { cancelBatch } from "../batch/cancel-batch";
import { fork } from "../batch/fork";
import { parseCursor } from "../journal/cursor";
import { tailJournal } from "../journal/tail-journal";
import { launch } from "../launch/launch";
import { isFenced } from "../turns/fenced";
import { withUnit } from "../unit";
import { listBatches } from "./list-batches";
import { readBatch } from "./read-batch";
import { readBatchSheet } from "./read-batch-sheet";
import { readSharedStart } from "./read-shared-start";

let kernel: TestKernel;
const project_id = "boards";
let boss: Running;
let first: ForkResult;
const { running, run, deliver } = callersOf(() => kernel, project_id);

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, project_id, [{ name: "Boss" }, { name: "Hand" }]);
  await seedProject(kernel, "other", [{ name: "Boss" }]);
  boss = await running("Boss");
  first = await forked(boss, "tc_first", [
    toNew("Hand", { instruction: "weigh the first half" }),
    toNew("Hand", { instruction: "weigh the second half" }),
    toNew("Hand", { instruction: "weigh the rest" }),
  ]);
});
afterAll(() => kernel.close());

async function forked(caller: Running, tool_call_id: string, tasks: object[], more: object = {}): Promise<ForkResult> {
  const result = await fork(kernel, {
    project_id,
    caller: { ...caller, tool_call_id },
    tool: "fork_join",
    args: { tasks, ...more },
  });
  if (isFenced(result)) throw new Error("the caller was fenced");
  return result;
}

async function ended(task: ForkResult["tasks"][number] | undefined, text: string): Promise<void> {
  if (task?.agent_turn_id === undefined) throw new Error("the task has no turn");
  const branch = await run(task.agent_id, task.agent_turn_id, 1);
  await deliver(branch, text);
}

async function refusal(work: Promise<unknown>): Promise<KernelError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(KernelError);
  return error as KernelError;
}

const sheetOf = (batch_id: string, task_indexes?: number[]) =>
  readBatchSheet(kernel, { project_id, batch_id, task_indexes });

describe("a board", () => {
  test("has every branch in order with its turn, its number in the run, its parent, and no join while it waits", async () => {
    const sheet = await sheetOf(first.batch_id);
    expect(sheet).toMatchObject({ number: 1, status: "running", task_count: 3, fail_fast: false, attempts_max: 5 });
    expect(sheet.tasks.map((branch) => [branch.task_index, branch.turn?.task_index, branch.title])).toEqual([
      [0, 0, "weigh the first half"],
      [1, 1, "weigh the second half"],
      [2, 2, "weigh the rest"],
    ]);
    expect(sheet.parent?.agent_turn_id).toBe(boss.agent_turn_id);
    expect(sheet.run).toMatchObject({ root_turn_id: boss.turn.root_turn_id, number: 1 });
    expect(sheet.join).toBeUndefined();
    expect((await sheetOf(first.batch_id, [2])).tasks.map((branch) => branch.task_index)).toEqual([2]);
  });

  test("a branch that has ended shows what it delivered; frames after the cursor report the next one", async () => {
    await ended(first.tasks[0], "It weighs **four** pounds");
    const sheet = await sheetOf(first.batch_id);
    expect(sheet.tasks[0]).toMatchObject({
      turn: { status: "success" },
      deliverable: { type: "task.deliverable", title: "It weighs **four** pounds" },
    });
    await ended(first.tasks[1], "Nine");
    // Other writers on this server delay the tail.
    await untilVisible(kernel);
    const tail = await tailJournal(kernel, { project_id, after: parseCursor(project_id, sheet.cursor) });
    const told = tail.frames.map(({ frame }) => frame);
    expect(told.some((f) => f.kind === "turn" && f.batch_id === first.batch_id && f.status === "success")).toBe(true);
  });

  test("the join is the card that the parent was given, in task_index order", async () => {
    await ended(first.tasks[2], "Two");
    const sheet = await sheetOf(first.batch_id);
    expect(sheet).toMatchObject({ status: "success", join: { type: "tool.result" } });
    expect(sheet.join?.result).toMatchObject({
      status: "success",
      results: [{ task_index: 0, summary: "It weighs **four** pounds" }, { task_index: 1 }, { task_index: 2 }],
    });
    expect(sheet.tasks.map((branch) => [branch.status, branch.result?.summary])).toEqual([
      ["success", "It weighs **four** pounds"],
      ["success", "Nine"],
      ["success", "Two"],
    ]);
    const detail = await readBatch(kernel, { project_id, batch_id: first.batch_id });
    expect(detail.tasks.map((task) => task.label)).toEqual(["task_1", "task_2", "task_3"]);
    expect(detail).not.toHaveProperty("number");
  });

  test("a join whose card is deleted keeps its place on the board and not its content", async () => {
    const card_id = (await sheetOf(first.batch_id)).join?.card_id ?? "";
    await withUnit(kernel, (unit) => deleteCard(unit, { project_id, card_id, by: "human_local" }));
    expect((await sheetOf(first.batch_id)).join).toMatchObject({ card_id, result: null });
  });

  test("a person who forks is given the join as the end of their turn", async () => {
    const launched = await launch(kernel, {
      project_id,
      tool: "fork_join",
      user: "ann",
      args: { tasks: [toNew("Hand"), toNew("Hand")] },
    });
    const result = launched.result as ForkResult;
    for (const task of result.tasks) await ended(task, "done");
    const sheet = await sheetOf(result.batch_id);
    expect(sheet.parent).toMatchObject({ is_human: true, status: "success" });
    expect(sheet.join).toMatchObject({ type: "task.deliverable", result: { status: "success" } });
    expect(sheet.join?.applied_at).toBe(sheet.parent?.ended_at);
  });

  test("what is held back has no turn; stopped, it is canceled and the parent gets that", async () => {
    const caller = await running("Boss");
    const held = await forked(caller, "tc_held", [toNew("Hand"), toNew("Hand")], { max_parallel: 1 });
    const before = await sheetOf(held.batch_id);
    expect(before.tasks.map((branch) => [branch.status, branch.turn?.status])).toEqual([
      ["dispatched", "dispatched"],
      ["pending", undefined],
    ]);
    expect(before.max_parallel).toBe(1);
    expect(await cancelBatch(kernel, { project_id, batch_id: held.batch_id, by: "ann" })).toBe(true);
    const after = await sheetOf(held.batch_id);
    expect(after.tasks.map((branch) => branch.status)).toEqual(["canceled", "canceled"]);
    expect(after.join?.result).toMatchObject({ status: "canceled" });
  });

  test("of another project and an unknown one get the same answer", async () => {
    for (const reading of [readBatch, readBatchSheet]) {
      const foreign = await refusal(reading(kernel, { project_id: "other", batch_id: first.batch_id }));
      const missing = await refusal(reading(kernel, { project_id: "other", batch_id: "none" }));
      expect([foreign.code, missing.code]).toEqual(["not_found", "not_found"]);
    }
  });
});

describe("what all branches share", () => {
  test("ends at the first difference", async () => {
    const caller = await running("Boss");
    const box = await launch(kernel, {
      project_id,
      tool: "fork_join",
      user: "ann",
      args: { tasks: [toNew("Hand"), toNew("Hand")] },
    });
    const alike = await forked(caller, "tc_alike", [
      toNew("Hand", { instruction: "one", context_box_id: caller.turn.context_box_id }),
      toNew("Hand", { instruction: "two", context_box_id: caller.turn.context_box_id }),
    ]);
    const shared = await readSharedStart(kernel, { project_id, batch_id: alike.batch_id });
    expect(shared.cards).toBeGreaterThan(0);
    expect(shared.tokens).toBeGreaterThan(0);
    const { tasks } = await sheetOf(alike.batch_id);
    for (const branch of tasks) expect(branch.turn?.context_cards).toBeGreaterThan(shared.cards);
    const apart = await readSharedStart(kernel, { project_id, batch_id: (box.result as ForkResult).batch_id });
    expect(apart.cards).toBeLessThan(shared.cards);
    expect(await readSharedStart(kernel, { project_id: "other", batch_id: alike.batch_id })).toEqual({
      cards: 0,
      tokens: 0,
    });
  });
});

describe("the list", () => {
  test("is newest first with one lamp per lane, comes in pages without a gap, and is filtered", async () => {
    const all = await listBatches(kernel, { project_id, limit: 50 });
    expect(all.items.map((line) => line.created_at)).toEqual(
      all.items
        .map((line) => line.created_at)
        .toSorted()
        .reverse(),
    );
    const line = all.items.find((batch) => batch.batch_id === first.batch_id);
    expect(line).toMatchObject({
      number: 1,
      lanes: ["success", "success", "success"],
      parent: { agent_turn_id: boss.agent_turn_id, headcode: boss.turn.headcode },
    });
    const seen: string[] = [];
    for (let cursor: string | undefined, rounds = 0; rounds < 20; rounds++) {
      const page = await listBatches(kernel, { project_id, limit: 1, cursor });
      seen.push(...page.items.map((batch) => batch.batch_id));
      cursor = page.next_cursor;
      if (cursor === undefined) break;
    }
    expect(seen).toEqual(all.items.map((batch) => batch.batch_id));
    const ids = async (query: object) =>
      (await listBatches(kernel, { project_id, limit: 50, ...query })).items.map((batch) => batch.batch_id);
    expect(await ids({ root_turn_id: boss.turn.root_turn_id })).toEqual([first.batch_id]);
    expect(await ids({ agent_turn_id: boss.agent_turn_id })).toEqual([first.batch_id]);
    expect(await ids({ status: "success" })).toContain(first.batch_id);
    expect(await ids({ status: "running" })).not.toContain(first.batch_id);
    expect((await listBatches(kernel, { project_id: "other", limit: 50 })).items).toEqual([]);
    expect((await refusal(listBatches(kernel, { project_id: "none", limit: 1 }))).code).toBe("not_found");
  });

  test("a second batch of a run is its B2", async () => {
    const again = await forked(boss, "tc_again", [toNew("Hand")]);
    expect((await sheetOf(again.batch_id)).number).toBe(2);
    expect((await sheetOf(first.batch_id)).number).toBe(1);
  });

  test("a question to an expert takes no number: it is drawn without a frame", async () => {
    const asker = await running("Boss");
    const asked = await fork(kernel, {
      project_id,
      caller: { ...asker, tool_call_id: "tc_asked" },
      tool: "ask_expert",
      args: { expert_profile: "Hand", question: "How much is half?" },
    });
    if (isFenced(asked)) throw new Error("the caller was fenced");
    const after = await forked(asker, "tc_after", [toNew("Hand")]);
    const { items } = await listBatches(kernel, { project_id, limit: 2, root_turn_id: asker.turn.root_turn_id });
    expect(items.map(({ batch_id, number }) => [batch_id, number])).toEqual([
      [after.batch_id, 1],
      [asked.batch_id, undefined],
    ]);
    expect((await sheetOf(asked.batch_id)).number).toBeUndefined();
    expect((await sheetOf(after.batch_id)).number).toBe(1);
  });
});
