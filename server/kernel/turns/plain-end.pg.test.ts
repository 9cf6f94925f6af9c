// An end waits for the locks of whoever gives its turn or its agent something to do at that moment: what it then finds is not
// left behind, although an end that finds nothing takes its commit along.
import { afterAll, beforeAll, expect, test } from "vitest";
import { callersOf } from "@/server/testing/callers";
import { forksOf } from "@/server/testing/forks";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { turnOf } from "@/server/testing/turns";
import { fork } from "../batch/fork";
import { delegate } from "../delegation/delegate";
import type { Kernel } from "../kernel";
import { type Delivered, deliverTurn } from "./deliver-turn";
import { isFenced } from "./fenced";

let kernel: TestKernel;
const P = "plain-end";
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Boss" }, { name: "Hand" }]);
});
afterAll(() => kernel.close());

const { running } = callersOf(() => kernel, P);
const { sleeping, start, batch, rows } = forksOf(() => kernel, P);

const WAITING =
  "SELECT count(*)::int AS n FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted AND datname = current_database()";
const isAnyoneWaiting = async () => (await kernel.test.pool.query<{ n: number }>(WAITING)).rows[0]?.n ?? 0;

/** `other` has written and not committed when the turn is delivered, and commits while the delivery waits for its locks. */
async function deliveredBeside(
  turn: { agent_turn_id: string; turn_epoch: number },
  other: (slow: Kernel) => Promise<unknown>,
): Promise<Delivered> {
  let delivering: Promise<Delivered> | undefined;
  const probe = async (point: string) => {
    if (point !== "before-commit" || delivering) return;
    const { agent_turn_id, turn_epoch } = turn;
    delivering = deliverTurn(kernel, {
      ...{ project_id: P, agent_turn_id, turn_epoch, worker_id: "w" },
      ...{ status: "success", content: { kind: "text", text: "done" } },
    });
    await expect.poll(isAnyoneWaiting, { interval: 10, timeout: 10_000 }).toBeGreaterThan(0);
  };
  await other({ ...kernel, probe });
  if (!delivering) throw new Error("the other unit never came to its commit");
  return delivering;
}

test("a turn that was queued behind it meanwhile is leased, and its batch ends", async () => {
  const boss = await sleeping("Boss", 1);
  const [branch] = await Promise.all(boss.fork.tasks.map(start));
  if (!branch) throw new Error("a branch was to be started");
  const caller = await running("Boss");
  const delivered = await deliveredBeside(branch, (slow) =>
    delegate(slow, {
      ...{ project_id: P, caller, tool: "delegate_async" },
      args: { target_strategy: "reuse", target_ref: branch.agent_id, instruction: "again" },
    }),
  );
  expect(isFenced(delivered)).toBe(false);
  expect(await turnOf(kernel, P, branch.agent_turn_id)).toMatchObject({ status: "success" });
  const next = await rows("SELECT status FROM state.agent_turns WHERE project_id = $1 AND parent_turn_id = $2", [
    caller.agent_turn_id,
  ]);
  expect(next).toEqual([{ status: "dispatched" }]);
  expect(await batch(boss.fork.batch_id)).toMatchObject({ status: "success" });
});

test("a batch that it forked meanwhile is canceled with it", async () => {
  const caller = await running("Boss");
  const delivered = await deliveredBeside(caller, (slow) =>
    fork(slow, {
      ...{ project_id: P, caller: { ...caller, tool_call_id: "tc_meanwhile" }, tool: "fork_join" },
      args: { tasks: [{ target_strategy: "new", target_ref: "Hand", instruction: "sub" }] },
    }),
  );
  expect(isFenced(delivered)).toBe(false);
  const batches = await rows(
    "SELECT status FROM state.pmo_batches WHERE project_id = $1 AND parent_agent_turn_id = $2",
    [caller.agent_turn_id],
  );
  expect(batches).toEqual([{ status: "canceled" }]);
});
