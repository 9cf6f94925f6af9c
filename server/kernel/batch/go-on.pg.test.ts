// A batch that ends by a branch of a worker which would take the turn that waits: it goes on in the same transaction. Everything that
// may come between must leave it as a claim would find it.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { callersOf, type Running, toNew } from "@/server/testing/callers";
import { forksOf, hasReadForJoin, joinIn, type Sleeping } from "@/server/testing/forks";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { countStatements } from "@/server/testing/statements";
import { outputOf, turnOf } from "@/server/testing/turns";
import { insertCardsFor } from "../cardbox/insert-cards";
import type { Kernel, Taker } from "../kernel";
import { sweepBatches } from "../reclaim/sweep-batches";
import { deliverTurn } from "../turns/deliver-turn";
import type { TurnRow } from "../turns/turn-row";
import { withUnit } from "../unit";
import { settleBatch } from "./settle";

let kernel: TestKernel;
const P = "go_on";
const taken: TurnRow[] = [];
const asked: Parameters<Taker["mayTake"]>[0][] = [];
let doubts = 0;
let wants = true;
const taker: Taker = {
  worker_id: "taker",
  mayTake: (turn) => {
    asked.push(turn);
    return wants;
  },
  serves: () => false,
  reserve: () => 0,
  release: () => undefined,
  take: (turn) => taken.push(turn as TurnRow),
  doubt: () => doubts++,
};
/** Of a worker that takes on what goes on. */
let taking: Kernel;

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Boss", worker_target: "office" }, { name: "Hand" }]);
});
beforeEach(() => {
  kernel.probe = undefined;
  taking = { ...kernel, taker };
  taken.length = 0;
  asked.length = 0;
  doubts = 0;
  wants = true;
});
afterAll(() => kernel.close());

const { running } = callersOf(() => kernel, P);
const { sleeping, start, batch, fork, resultRows, resumeBy, rows } = forksOf(() => kernel, P);
const endBy = (by: Kernel, turn: Running) =>
  deliverTurn(by, { ...turn, status: "success", content: { kind: "text", text: "done" } });
const hands = (n: number) => Array.from({ length: n }, (_, i) => toNew("Hand", { instruction: `part ${i}` }));

/** All but the last branch have ended. */
async function oneLeft(boss: Pick<Sleeping, "fork">): Promise<Running> {
  const branches = await Promise.all(boss.fork.tasks.map(start));
  const last = branches.pop();
  for (const branch of branches) await endBy(kernel, branch);
  if (!last) throw new Error("a fork has no branches");
  return last;
}
const bossOf = ({ agent_turn_id }: Pick<Running, "agent_turn_id">) => turnOf(kernel, P, agent_turn_id);
const xmins = async (boss: Sleeping) => {
  const [row] = await rows<{ turn: string; batch: string; due: string; held: string }>(
    `SELECT t.xmin AS turn, b.xmin AS batch, d.xmin AS due, d.claimed_by AS held FROM state.agent_turns t
     JOIN state.pmo_batches b ON b.project_id = $1 AND b.parent_agent_turn_id = t.agent_turn_id
     JOIN state.due d ON d.project_id = $1 AND d.agent_turn_id = t.agent_turn_id
     WHERE t.project_id = $1 AND t.agent_turn_id = $2`,
    [boss.agent_turn_id],
  );
  return row;
};

test("it runs on, held by that worker, from the transaction that ends the batch; nothing is left to claim", async () => {
  const boss = await sleeping("Boss", hands(3));
  const rings: string[] = [];
  const unlisten = await kernel.doorbell.listen((ring) => {
    if (ring.kind === "wakeup") rings.push(ring.worker_target);
  });
  await endBy(taking, await oneLeft(boss));
  await unlisten();
  const turn = await bossOf(boss);
  expect(turn).toMatchObject({ status: "running", turn_epoch: boss.turn_epoch + 1, lease_holder: "taker" });
  expect(taken).toMatchObject([{ agent_turn_id: boss.agent_turn_id, turn_epoch: turn.turn_epoch, status: "running" }]);
  const at = await xmins(boss);
  expect([at?.turn, at?.due, at?.held]).toEqual([at?.batch, at?.batch, "taker"]);
  expect((await batch(boss.fork.batch_id)).status).toBe("success");
  // Who held the epoch that began so: late writes under it are told with its name.
  expect(await resultRows(boss.fork.tool_call_id)).toMatchObject([{ status: "consumed", claimed_by: "taker" }]);
  expect((await outputOf(kernel, turn)).map((card) => card.type)).toEqual(["tool.result"]);
  expect(rings).not.toContain("office");
  expect(asked).toMatchObject([{ worker_target: "office", needs_own_worker: true, is_kept: false }]);
});

test("a worker that does not want it, and an end without one, leave its result to a claim", async () => {
  for (const by of [taking, kernel]) {
    wants = false;
    const boss = await sleeping("Boss", hands(2));
    await endBy(by, await oneLeft(boss));
    expect((await bossOf(boss)).status).toBe("suspended");
    expect(await resultRows(boss.fork.tool_call_id)).toMatchObject([{ status: "pending" }]);
    expect(joinIn(await resumeBy(boss, boss.fork.tool_call_id)).status).toBe("success");
  }
  expect(taken).toEqual([]);
});

test("a turn that has forked and is not suspended yet reads its result when it is", async () => {
  const boss = await running("Boss");
  const made = await fork(boss, { tasks: hands(1) });
  await endBy(taking, await oneLeft({ fork: made }));
  expect(await bossOf(boss)).toMatchObject({ status: "running", turn_epoch: boss.turn_epoch, lease_holder: "w" });
  expect(await resultRows(made.tool_call_id)).toMatchObject([{ status: "pending" }]);
  expect([taken, asked]).toEqual([[], []]);
});

test("who waits for two batches goes on with the second; the first result is read and not lost", async () => {
  const boss = await running("Boss");
  const [one, other] = [await fork(boss, { tasks: hands(1) }), await fork(boss, { tasks: hands(1) })];
  await forksOf(() => kernel, P).sleep(boss, [one.tool_call_id, other.tool_call_id]);
  await endBy(taking, await oneLeft({ fork: one }));
  expect(await bossOf(boss)).toMatchObject({ status: "suspended", turn_epoch: boss.turn_epoch, output_cards: 1 });
  expect([taken.length, doubts]).toEqual([0, 0]);
  await endBy(taking, await oneLeft({ fork: other }));
  const turn = await bossOf(boss);
  expect(turn).toMatchObject({ status: "running", turn_epoch: boss.turn_epoch + 1, output_cards: 2 });
  expect(taken).toHaveLength(1);
});

test("a card that was there under the call is replaced, and the turn waits for a claim of its result", async () => {
  const boss = await sleeping("Boss", hands(1));
  await withUnit(kernel, (unit) =>
    insertCardsFor(unit, {
      project_id: P,
      cards: [
        {
          type: "tool.result",
          author_id: "somebody",
          tool_call_id: boss.fork.tool_call_id,
          content: { kind: "tool_result", status: "success", result: "not from here" },
        },
      ],
    }),
  );
  const rings: string[] = [];
  const unlisten = await kernel.doorbell.listen((ring) => {
    if (ring.kind === "wakeup") rings.push(ring.worker_target);
  });
  await endBy(taking, await oneLeft(boss));
  await unlisten();
  expect((await bossOf(boss)).status).toBe("suspended");
  expect([taken, rings.includes("office")]).toEqual([[], true]);
  expect(joinIn(await resumeBy(boss, boss.fork.tool_call_id)).status).toBe("success");
});

for (const point of ["settle-locked", "batch-before-end", "before-apply", "before-commit"])
  test(`a process that dies at ${point} writes nothing of it, and the sweep ends the batch`, async () => {
    const boss = await sleeping("Boss", hands(2));
    const last = await oneLeft(boss);
    taking = {
      ...taking,
      probe: (at, statements) => {
        if (at === point && hasReadForJoin(statements)) throw new Error(`died at ${point}`);
      },
    };
    await endBy(taking, last);
    expect((await batch(boss.fork.batch_id)).status).toBe("running");
    expect(await bossOf(boss)).toMatchObject({ status: "suspended", turn_epoch: boss.turn_epoch, output_cards: 0 });
    expect([await resultRows(boss.fork.tool_call_id), taken]).toEqual([[], []]);
    // Once in the transaction of the branch, and once after it.
    expect(doubts).toBe(point === "settle-locked" ? 0 : 2);
    await sweepBatches(kernel);
    expect(joinIn(await resumeBy(boss, boss.fork.tool_call_id)).status).toBe("success");
  });

test("two that settle at once: one ends it, and one turn goes on", async () => {
  const boss = await sleeping("Boss", hands(1));
  const untold = { ...kernel, onTurnsEnded: undefined };
  await endBy(untold, await oneLeft(boss));
  const key = { project_id: P, batch_id: boss.fork.batch_id };
  await Promise.all([settleBatch(taking, key), settleBatch(taking, key), settleBatch(kernel, key)]);
  const turn = await bossOf(boss);
  expect(await resultRows(boss.fork.tool_call_id)).toHaveLength(1);
  // Whoever came first may have been the one that takes nothing on.
  expect([turn.status, taken.length]).toEqual(turn.status === "running" ? ["running", 1] : ["suspended", 0]);
});

test("it is as many statements for three branches as for thirty", async () => {
  const counts: number[] = [];
  for (const n of [3, 30]) {
    const boss = await sleeping("Boss", hands(n));
    const last = await oneLeft(boss);
    counts.push(await countStatements(kernel, (counting) => endBy({ ...counting, taker }, last)));
    expect(taken).toHaveLength(1);
    taken.length = 0;
  }
  expect(counts).toEqual([10, 10]);
});
