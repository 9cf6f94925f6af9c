// kill -9 of the worker in the middle of a batch: another one brings it to its join, and nothing that had ended is done again.
import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestKernel, type TestKernel } from "@/server/testing/kernel";
import { turnOf, untilTurn } from "@/server/testing/turns";
import { forkAndSleep, launchParent, project_id, seedProfiles } from "./switchyard";

type Child = {
  agent_turn_id: string;
  status: string;
  attempt: number;
  ended_at: string | null;
  deliverable_card_id: string;
};

let kernel: TestKernel;
const workers: ChildProcess[] = [];

beforeEach(async () => {
  kernel = await openTestKernel();
  await seedProfiles(kernel);
});
afterEach(async () => {
  for (const worker of workers.splice(0)) worker.kill("SIGKILL");
  await kernel.close();
});

test("a batch of 64 whose worker is killed is joined by another one, and no finished child is run again", async () => {
  const parent = await launchParent(kernel);
  expect(await forkAndSleep(kernel, parent, 64)).toBe("suspended");
  const first = startWorker("first", 3);
  await new Promise((resolve) => first.once("exit", resolve));
  expect(first.signalCode).toBe("SIGKILL");
  const before = await children();
  const finished = before.filter((child) => child.ended_at !== null);
  // Two claims run at once: of the two groups before the third, one or both have been committed.
  expect([1, 2].map((groups) => groups * 16)).toContain(finished.length);

  startWorker("second");
  await untilTurn(kernel, project_id, parent.agent_turn_id, "running", 60_000);
  const after = await children();
  expect(after.map((child) => child.status)).toEqual(Array(64).fill("success"));
  const byId = new Map(after.map((child) => [child.agent_turn_id, child]));
  expect(finished.map((child) => byId.get(child.agent_turn_id))).toEqual(finished);
  expect(await tasksFramesPerTurn()).toEqual([1]);
  expect(await batches()).toEqual([{ status: "success", task_count: 64 }]);
  const { turn_epoch } = await turnOf(kernel, project_id, parent.agent_turn_id);
  expect(turn_epoch).toBe(parent.turn_epoch + 1);
}, 90_000);

function startWorker(name: string, killedAt = 0): ChildProcess {
  const script = path.join(import.meta.dirname, "crash-worker.ts");
  const worker = fork(script, [kernel.test.url, name, String(killedAt)], { execArgv: ["--import", "tsx"] });
  workers.push(worker);
  return worker;
}

async function children(): Promise<Child[]> {
  const { rows } = await kernel.db.pool.query<Child>(
    `SELECT agent_turn_id, status, attempt, ended_at, deliverable_card_id FROM state.agent_turns
     WHERE project_id = $1 AND batch_id IS NOT NULL ORDER BY task_index`,
    [project_id],
  );
  return rows;
}

/** How many `task` frames each child has: the distinct counts. */
async function tasksFramesPerTurn(): Promise<number[]> {
  const { rows } = await kernel.db.pool.query<{ count: number }>(
    `SELECT DISTINCT count(*)::int AS count FROM state.journal j
     JOIN state.agent_turns t ON t.project_id = j.project_id AND t.agent_turn_id = j.entity_id
     WHERE j.project_id = $1 AND j.kind = 'task' AND t.batch_id IS NOT NULL GROUP BY j.entity_id`,
    [project_id],
  );
  return rows.map((row) => row.count);
}

async function batches(): Promise<{ status: string; task_count: number }[]> {
  const { rows } = await kernel.db.pool.query(
    "SELECT status, task_count FROM state.pmo_batches WHERE project_id = $1",
    [project_id],
  );
  return rows;
}
