// Turns that run from the moment they are made, by the worker whose turn makes them: like turns that were claimed and started, and no
// more of them than the worker has places for.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { callersOf, type Running, toNew } from "@/server/testing/callers";
import { forksOf } from "@/server/testing/forks";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { countStatements } from "@/server/testing/statements";
import { framesOf, scripted, turnOf } from "@/server/testing/turns";
import { fork } from "../batch/fork";
import { delegate } from "../delegation/delegate";
import type { Kernel, Taker } from "../kernel";
import { takeOver } from "../reclaim/take-over";
import { deliverTurn } from "./deliver-turn";
import { isFenced } from "./fenced";
import { registerWorker, removeWorker } from "./register-worker";
import { setRunLimits } from "./set-run-limits";
import { takeWork } from "./take-work";
import type { TurnRow } from "./turn-row";

let kernel: TestKernel;
const P = "take_made";
const places = { free: 0, kept: 0, doubts: 0 };
let targets: string[] = [];
const taken: TurnRow[] = [];
const taker: Taker = {
  worker_id: "maker",
  mayTake: () => false,
  serves: ({ worker_target, needs_own_worker, is_kept }) =>
    !needs_own_worker && (targets.includes(worker_target) || (targets.includes("*") && !is_kept)),
  reserve: (n) => {
    const kept = Math.min(n, places.free - places.kept);
    places.kept += kept;
    return kept;
  },
  release: (n) => {
    places.kept -= n;
  },
  take: (turn) => taken.push(turn as TurnRow),
  doubt: () => places.doubts++,
};
let taking: Kernel;

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [
    scripted("Hand", [{ deliver: "x" }], { worker_target: "bench" }),
    scripted("Far", [{ deliver: "x" }], { worker_target: "elsewhere" }),
    { name: "Own", worker_target: "bench" },
  ]);
});
beforeEach(() => {
  kernel.probe = undefined;
  taking = { ...kernel, taker };
  Object.assign(places, { free: 100, kept: 0, doubts: 0 });
  targets = ["bench"];
  taken.length = 0;
});
afterAll(() => kernel.close());

const { running } = callersOf(() => kernel, P);
const { rows, batch, tasks: branchesOf } = forksOf(() => kernel, P);
const many = (n: number, ref = "Hand") => Array.from({ length: n }, (_, i) => toNew(ref, { instruction: `part ${i}` }));
let calls = 0;
async function forkBy(by: Kernel, boss: Running, tasks: object[], more: object = {}) {
  const caller = { ...boss, tool_call_id: `tc_made_${++calls}` };
  const made = await fork(by, { project_id: P, caller, tool: "fork_join", args: { tasks, ...more }, sleep: {} });
  if (isFenced(made)) throw new Error("the caller was fenced");
  return made;
}
const endOf = (by: Kernel, { project_id, agent_turn_id, turn_epoch }: TurnRow) =>
  deliverTurn(by, {
    ...{ project_id, agent_turn_id, turn_epoch, worker_id: "maker" },
    ...{ status: "success", content: { kind: "text", text: "done" } },
  });
type Due = { agent_turn_id: string; claimed_by: string | null; is_beaten: boolean; at_once: boolean };
const dueOf = (batch_id: string) =>
  rows<Due>(
    `SELECT d.agent_turn_id, d.claimed_by, d.heartbeat_at IS NOT NULL AS is_beaten, d.claimed_at = d.created_at AS at_once
     FROM state.due d JOIN state.agent_turns t ON t.project_id = $1 AND t.agent_turn_id = d.agent_turn_id
     WHERE d.project_id = $1 AND t.batch_id = $2 ORDER BY t.task_index`,
    [batch_id],
  );
const wakeups = async (work: () => Promise<unknown>): Promise<string[]> => {
  const heard: string[] = [];
  const unlisten = await kernel.doorbell.listen((ring) => {
    if (ring.kind === "wakeup") heard.push(`${ring.project_id} ${ring.worker_target}`);
  });
  await work();
  await unlisten();
  return heard;
};

test("branches run, held by the worker, from the transaction that makes them, and no worker is rung for them", async () => {
  const boss = await running("Hand");
  let batch_id = "";
  const heard = await wakeups(async () => {
    ({ batch_id } = await forkBy(taking, boss, many(3)));
  });
  const due = await dueOf(batch_id);
  expect(due).toHaveLength(3);
  for (const row of due) expect(row).toMatchObject({ claimed_by: "maker", is_beaten: true, at_once: true });
  expect(heard).toEqual([]);
  // It is given what anybody would read.
  expect(taken.map((turn) => turn.task_index)).toEqual([0, 1, 2]);
  for (const turn of taken) {
    expect(turn).toMatchObject({ status: "running", turn_epoch: 1, attempt: 1, lease_holder: "maker", rev: 1 });
    expect(turn.started_at).toBe(turn.created_at);
    expect(await turnOf(kernel, P, turn.agent_turn_id)).toMatchObject(turn);
  }
  expect(places.kept).toBe(0);
  expect(await takeWork(kernel, { worker_targets: ["bench"], worker_id: "other", limit: 16 })).toEqual([]);
  const told = (await framesOf(kernel, P, "turn")).filter((frame) => frame.batch_id === batch_id);
  expect(told.map(({ status, rev }) => [status, rev])).toEqual(Array(3).fill(["running", 1]));
  for (const turn of taken) {
    expect(
      (await framesOf(kernel, P, "edge")).filter((edge) => edge.target_turn_id === turn.agent_turn_id),
    ).toHaveLength(1);
    expect(isFenced(await endOf(kernel, turn))).toBe(false);
  }
  expect((await batch(batch_id)).status).toBe("success");
});

test("as many as it has places for; the others wait for a claim, and workers are rung for them", async () => {
  const boss = await running("Hand");
  places.free = 2;
  let batch_id = "";
  const heard = await wakeups(async () => {
    ({ batch_id } = await forkBy(taking, boss, many(5)));
  });
  expect((await dueOf(batch_id)).map((row) => row.claimed_by)).toEqual(["maker", "maker", null, null, null]);
  expect((await branchesOf(batch_id)).map((branch) => branch.status)).toEqual(Array(5).fill("dispatched"));
  expect([taken.length, heard, places.kept]).toEqual([2, [`${P} bench`], 0]);
  const left = await takeWork(kernel, { worker_targets: ["bench"], worker_id: "other", limit: 16 });
  expect(left.flatMap(({ turn }) => (turn?.batch_id === batch_id ? turn.task_index : []))).toEqual([2, 3, 4]);
});

test("only what a claim of its own would find: not other targets, turns for a worker of the project, or queued ones", async () => {
  const boss = await running("Hand");
  const made = await forkBy(taking, boss, [...many(1, "Far"), ...many(1, "Own"), ...many(1)]);
  expect((await dueOf(made.batch_id)).map((row) => row.claimed_by)).toEqual([null, null, "maker"]);
  const [hand] = taken;
  if (!hand) throw new Error("nothing was taken");
  await endOf(kernel, hand);

  // An agent that is there is leased as ever: its next turn may wait behind another.
  const again = await running("Hand");
  const reused = { target_strategy: "reuse", target_ref: hand.agent_id, instruction: "more" };
  const second = await forkBy(taking, again, [reused]);
  expect((await dueOf(second.batch_id)).map((row) => row.claimed_by)).toEqual([null]);
  expect(taken).toHaveLength(1);
});

test("the star takes what nobody asks for by name", async () => {
  targets = ["*"];
  const free = await forkBy(taking, await running("Hand"), many(1));
  expect((await dueOf(free.batch_id)).map((row) => row.claimed_by)).toEqual(["maker"]);
  await registerWorker(kernel, { worker_id: "named", targets: ["bench"], version: "test" });
  const kept = await forkBy(taking, await running("Hand"), many(1));
  await removeWorker(kernel, "named");
  expect((await dueOf(kept.batch_id)).map((row) => row.claimed_by)).toEqual([null]);
  expect([taken.length, places.kept]).toEqual([1, 0]);
});

test("what a limit of the run holds back waits, and what max_parallel holds back is not made", async () => {
  const boss = await running("Hand");
  await setRunLimits(kernel, { project_id: P, root_turn_id: boss.turn.root_turn_id, limits: { turns_max: 3 } });
  const held = await forkBy(taking, boss, many(4));
  expect((await dueOf(held.batch_id)).map((row) => row.claimed_by)).toEqual(["maker", "maker", null, null]);
  expect(taken).toHaveLength(2);
  taken.length = 0;
  const few = await forkBy(taking, await running("Hand"), many(4), { max_parallel: 2 });
  expect([(await dueOf(few.batch_id)).length, taken.length]).toEqual([2, 2]);
});

test("a delegation that nobody waits for begins at once too", async () => {
  const boss = await running("Hand");
  const answer = await delegate(taking, { project_id: P, caller: boss, tool: "delegate_async", args: toNew("Hand") });
  if (isFenced(answer)) throw new Error("the caller was fenced");
  expect(answer).toMatchObject({ status: "accepted", turn_epoch: 1 });
  expect(taken).toMatchObject([{ agent_turn_id: answer.agent_turn_id, status: "running" }]);
  for (const turn of taken) expect(await turnOf(kernel, P, turn.agent_turn_id)).toMatchObject(turn);
});

test("a unit that is given up takes nothing on and gives its places back", async () => {
  const boss = await running("Hand");
  for (const point of ["after-enqueue", "before-commit"]) {
    const dying = {
      ...taking,
      probe: (at: string) => {
        if (at === point) throw new Error(`died at ${point}`);
      },
    };
    await expect(forkBy(dying, boss, many(2))).rejects.toThrow("died");
    expect([taken.length, places.kept, places.doubts]).toEqual([0, 0, 0]);
  }
});

test("a commit whose answer is lost: what it made is its own, or it looks again", async () => {
  const boss = await running("Hand");
  // The commit happens, and its answer does not come.
  const deaf: Kernel = {
    ...taking,
    db: {
      ...taking.db,
      pool: new Proxy(taking.db.pool, {
        get: (pool, key) =>
          key === "connect"
            ? async () => {
                const client = await pool.connect();
                const query = client.query.bind(client) as (q: unknown) => Promise<unknown>;
                client.query = (async (q: { text?: string }) => {
                  const answer = await query(q);
                  if (q?.text !== "COMMIT") return answer;
                  client.query = query as typeof client.query;
                  throw Object.assign(new Error("Connection terminated unexpectedly"), { code: "ECONNRESET" });
                }) as typeof client.query;
                return client;
              }
            : Reflect.get(pool, key, pool),
      }),
    },
  };
  const made = await forkBy(deaf, boss, many(2));
  expect((await dueOf(made.batch_id)).map((row) => row.claimed_by)).toEqual(["maker", "maker"]);
  expect([taken.length, places.kept, places.doubts]).toEqual([2, 0, 0]);

  taken.length = 0;
  const unknown: Kernel = { ...deaf, db: { ...deaf.db, connectAnew: () => Promise.reject(new Error("away")) } };
  unknown.tunables = { ...kernel.tunables, outcomeMs: 50 };
  await expect(forkBy(unknown, await running("Hand"), many(2))).rejects.toMatchObject({ code: "outcome_unknown" });
  expect([taken.length, places.kept, places.doubts]).toEqual([0, 0, 1]);
});

test("a worker that dies with them is followed by another, under another epoch", async () => {
  const made = await forkBy(taking, await running("Hand"), many(2));
  await kernel.db.pool.query(
    "UPDATE state.due SET heartbeat_at = now() - interval '1 hour' WHERE claimed_by = 'maker'",
  );
  await kernel.db.pool.query(
    "UPDATE state.installation SET began_at = now() - interval '1 day', watched_at = now(), back_at = NULL",
  );
  await takeOver(kernel);
  const again = await takeWork(kernel, { worker_targets: ["bench"], worker_id: "next", limit: 16 });
  const ours = again.filter((row) => row.turn?.batch_id === made.batch_id);
  expect(ours.map((row) => [row.turn_epoch, row.turn?.attempt])).toEqual([
    [2, 2],
    [2, 2],
  ]);
  const [late] = taken;
  if (!late) throw new Error("nothing was taken");
  expect(isFenced(await endOf(kernel, late))).toBe(true);
});

test("it is as many statements for one as for thirty, and as many as for a claim", async () => {
  const counts: number[] = [];
  for (const [by, n] of [
    [kernel, 30],
    [taking, 1],
    [taking, 30],
  ] as const) {
    const boss = await running("Hand");
    counts.push(await countStatements(kernel, (counting) => forkBy({ ...counting, taker: by.taker }, boss, many(n))));
  }
  expect(new Set(counts).size).toBe(1);
});
