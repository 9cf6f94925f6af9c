// A worker begins what its own turns make as long as it has places and nobody waits for one; then claims serve everybody in turn.
import { afterAll, beforeAll, expect, test } from "vitest";
import { tunables } from "@/server/kernel/tunables";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { deliverableOf, launchTurn, scripted, startTestWorker, untilTurn } from "@/server/testing/turns";
import { wireKernel } from "@/server/wire";
import type { Worker } from "./loop";

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel({ tunables: { ...tunables, pollMs: 5_000 } });
});
afterAll(() => kernel.close());

const seed = (P: string, target: string, n: number, wait_ms = 0) => {
  const tasks = Array.from({ length: n }, (_, i) => ({
    target_strategy: "new",
    target_ref: "Hand",
    instruction: `part ${i}`,
  }));
  return seedProject(kernel, P, [
    scripted("Boss", [{ call: "fork_join", arguments: { tasks } }, { deliver: "joined" }], {
      worker_target: target,
      allowed_tools: ["fork_join"],
    }),
    scripted("Hand", [{ wait_ms, deliver: "{instruction}" }], { worker_target: target }),
  ]);
};
type Branch = { at_once: boolean; status: string; taken_by: string };
const branchesOf = async (P: string): Promise<Branch[]> =>
  (
    await kernel.db.pool.query<Branch>(
      `SELECT started_at = created_at AS at_once, status, taken_by FROM state.agent_turns
       WHERE project_id = $1 AND profile_name = 'Hand' ORDER BY task_index`,
      [P],
    )
  ).rows;

/** Runs a boss to its end; `most`: how many turns the worker had at a time. */
const bossOf = async (P: string, worker: Worker) => {
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Boss" });
  let most = 0;
  const turn = await untilTurn(kernel, P, agent_turn_id, async ({ status }) => {
    most = Math.max(most, worker.active());
    return status === "success";
  });
  await worker.stop();
  return { turn, most };
};

test("the branches of a fork begin with it, and the last one wakes their caller", async () => {
  await seed("begins", "here", 5);
  const worker = await startTestWorker(kernel, { worker_id: "here", targets: ["here"] });
  const { agent_turn_id } = await launchTurn(kernel, "begins", { target: "Boss" });
  const turn = await untilTurn(kernel, "begins", agent_turn_id);
  await worker.stop();
  expect(await deliverableOf(kernel, turn)).toBe("joined");
  expect(await branchesOf("begins")).toEqual(Array(5).fill({ at_once: true, status: "success", taken_by: "here" }));
});

test("no more at a time than it has places; the others are claimed when one is free", async () => {
  await seed("places", "narrow", 6, 300);
  const worker = await startTestWorker(kernel, { worker_id: "narrow", targets: ["narrow"], concurrency: 3 });
  const { turn, most } = await bossOf("places", worker);
  expect(await deliverableOf(kernel, turn)).toBe("joined");
  const begun = await branchesOf("places");
  expect(begun.map((branch) => branch.status)).toEqual(Array(6).fill("success"));
  // The caller still has one of the three while it forks.
  expect(begun.filter((branch) => branch.at_once).length).toBeLessThanOrEqual(2);
  expect(most).toBeLessThanOrEqual(3);
});

// That nothing is taken while a place is free and others wait stands in taker.test.ts: here that moment is too short.
test("a worker whose places are full leaves what its turns make to claims", async () => {
  await seed("greedy", "shared", 4, 50);
  await seed("patient", "shared", 1, 50);
  // All are queued before anybody serves them: the worker is behind from its start.
  const waiting = await Promise.all(
    Array.from({ length: 6 }, () => launchTurn(kernel, "patient", { target: "Hand", instruction: "wait" })),
  );
  const boss = await launchTurn(kernel, "greedy", { target: "Boss" });
  const worker = await startTestWorker(kernel, { worker_id: "shared", targets: ["shared"], concurrency: 2 });
  await untilTurn(kernel, "greedy", boss.agent_turn_id);
  for (const { agent_turn_id } of waiting) await untilTurn(kernel, "patient", agent_turn_id);
  await worker.stop();
  expect((await branchesOf("greedy")).map((branch) => branch.at_once)).toEqual([false, false, false, false]);
});

test("a worker runs more turns at a time than it has connections", async () => {
  await seed("wide", "wide", 40, 300);
  const few = wireKernel({ url: kernel.test.url, name: "few", max: 3 });
  const worker = await startTestWorker(few, { worker_id: "wide", targets: ["wide"], concurrency: 64 });
  const { turn, most } = await bossOf("wide", worker);
  await few.close();
  expect(await deliverableOf(kernel, turn)).toBe("joined");
  expect(most).toBeGreaterThan(20);
});
