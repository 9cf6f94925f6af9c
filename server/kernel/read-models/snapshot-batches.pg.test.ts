// The yard's first picture of a run that forks: batches, tasks that wait for a slot, and what lost workers tried to write.
import { afterAll, beforeAll, expect, test } from "vitest";
import { emptyPicture, fold } from "@/server/contract/frame";
import { forksOf } from "@/server/testing/forks";
import { openTestKernel, seedProject, type TestKernel, untilVisible } from "@/server/testing/kernel";
import { parseCursor } from "../journal/cursor";
import { tailJournal } from "../journal/tail-journal";
import { isFenced } from "../turns/fenced";
import { readSnapshot } from "./read-snapshot";
import { readTurnDetail } from "./read-turn-detail";

let kernel: TestKernel;
const project_id = "forked";
const forks = forksOf(() => kernel, project_id);

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, project_id, [{ name: "Boss" }]);
  await seedProject(kernel, "other", [{ name: "Boss" }]);
});
afterAll(() => kernel.close());

test("a run's snapshot holds its batches and the tasks that have no turn, and frames after it lead to the same picture", async () => {
  const start = await readSnapshot(kernel, { project_id, root_turn_id: "all" });
  const boss = await forks.sleeping("Boss", 3, { max_parallel: 1 });
  const root_turn_id = boss.turn.root_turn_id;
  const early = await readSnapshot(kernel, { project_id, root_turn_id });
  const picture = fold(emptyPicture(), early.frames);
  const { batch_id } = boss.fork;
  expect(picture.batch.get(batch_id)).toMatchObject({ task_count: 3, max_parallel: 1, status: "running" });
  expect([...picture.batch_task.values()].map((task) => [task.task_index, task.status])).toEqual([
    [1, "pending"],
    [2, "pending"],
  ]);
  const branches = [...picture.turn.values()].filter((turn) => turn.batch_id === batch_id);
  expect(branches.map((turn) => turn.task_index)).toEqual([0]);

  await forks.end(await forks.start(boss.fork.tasks[0]));
  const late = fold(emptyPicture(), (await readSnapshot(kernel, { project_id, root_turn_id })).frames);
  // Tasks with a turn are shown by their turn.
  expect([...late.batch_task.values()].map((task) => task.task_index)).toEqual([2]);
  await untilVisible(kernel);
  const tail = await tailJournal(kernel, { project_id, after: parseCursor(project_id, start.cursor) });
  const grown = fold(
    fold(emptyPicture(), start.frames),
    tail.frames.map((tracked) => tracked.frame),
  );
  for (const [id, turn] of late.turn) expect(grown.turn.get(id)).toEqual(turn);
  for (const [id, batch] of late.batch) expect(grown.batch.get(id)).toEqual(batch);
  for (const [id, task] of late.batch_task) expect(grown.batch_task.get(id)).toEqual(task);
  expect((await readSnapshot(kernel, { project_id: "other", root_turn_id: "all" })).frames).not.toContainEqual(
    expect.objectContaining({ kind: "batch" }),
  );
});

test("a suspended turn says which calls it waits for, until when, and for which batch", async () => {
  const boss = await forks.sleeping("Boss", 2, { deadline_seconds: 300 });
  const detail = await readTurnDetail(kernel, { project_id, agent_turn_id: boss.agent_turn_id });
  expect(detail.waiting).toEqual([
    {
      tool_call_id: boss.fork.tool_call_id,
      tool_name: "fork_join",
      is_received: false,
      batch_id: boss.fork.batch_id,
      deadline_at: expect.stringMatching(/Z$/),
    },
  ]);
});

test("a write under an old epoch is in the picture and with its turn: who, what, and when", async () => {
  const boss = await forks.sleeping("Boss", 1);
  const branch = await forks.start(boss.fork.tasks[0]);
  const answer = await forks.end({ ...branch, turn_epoch: branch.turn_epoch + 7 });
  expect(isFenced(answer)).toBe(true);
  const { frames } = await readSnapshot(kernel, { project_id, root_turn_id: boss.turn.root_turn_id });
  const written = {
    kind: "rejected_late",
    agent_turn_id: branch.agent_turn_id,
    turn_epoch: branch.turn_epoch + 7,
    current_epoch: branch.turn_epoch,
    created_at: expect.stringMatching(/Z$/),
  };
  expect(frames).toContainEqual(expect.objectContaining(written));
  const { late } = await readTurnDetail(kernel, { project_id, agent_turn_id: branch.agent_turn_id });
  expect(late).toEqual([expect.objectContaining(written)]);
});

test("a turn id alone selects its run, even if newer ones have begun; one of another project selects nothing", async () => {
  const older = await forks.sleeping("Boss", 1);
  const newest = await forks.sleeping("Boss", 1);
  const rootOf = async (input: { project_id: string; root_turn_id?: string; agent_turn_id?: string }) =>
    (await readSnapshot(kernel, input)).root_turn_id;
  expect(await rootOf({ project_id })).toBe(newest.turn.root_turn_id);
  expect(await rootOf({ project_id, agent_turn_id: older.agent_turn_id })).toBe(older.turn.root_turn_id);
  expect(await rootOf({ project_id, agent_turn_id: "turn_of_nobody" })).toBe(newest.turn.root_turn_id);
  expect(await rootOf({ project_id: "other", agent_turn_id: older.agent_turn_id })).toBeUndefined();
  const both = { project_id, root_turn_id: newest.turn.root_turn_id, agent_turn_id: older.agent_turn_id };
  expect(await rootOf(both)).toBe(newest.turn.root_turn_id);
});
