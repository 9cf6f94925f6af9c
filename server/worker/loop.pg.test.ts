// Several workers: which of them gets a turn, which keeps it, and what happens to it when one stops.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { CardContent } from "@/server/contract/card";
import { createMemoryDoorbell } from "@/server/doorbell/memory-doorbell";
import { claimInbox } from "@/server/kernel/inbox/claim-inbox";
import { createKernel } from "@/server/kernel/kernel";
import { tunables } from "@/server/kernel/tunables";
import { takeWork } from "@/server/kernel/turns/take-work";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import {
  deliverableOf,
  framesOf,
  launchTurn,
  outputOf,
  scripted,
  startTestWorker,
  turnOf,
  untilTurn,
} from "@/server/testing/turns";

let kernel: TestKernel;
let P = "p0";
let n = 0;

beforeAll(async () => {
  kernel = await openTestKernel({ tunables: { ...tunables, pollMs: 100 } });
});
afterAll(() => kernel.close());
beforeEach(() => {
  P = `p${++n}`;
});

test("find their work by polling when every ring is lost", async () => {
  await seedProject(kernel, P, [scripted("Solo", [{ deliver: "x" }], { worker_target: "deaf" })]);
  const deaf = { ...createKernel({ ...kernel, doorbell: createMemoryDoorbell({ isMuted: true }) }) };
  const polling = await startTestWorker(deaf, { worker_id: "deaf", targets: ["deaf"] });
  const { agent_turn_id } = await launchTurn(deaf, P, { target: "Solo" });
  expect((await untilTurn(kernel, P, agent_turn_id)).status).toBe("success");
  await polling.stop();
});

test("take only the targets they serve", async () => {
  await seedProject(kernel, P, [scripted("Solo", [{ deliver: "x" }], { worker_target: "mail" })]);
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo" });
  await new Promise((done) => setTimeout(done, 500));
  expect((await turnOf(kernel, P, agent_turn_id)).status).toBe("dispatched");
  const mail = await startTestWorker(kernel, { worker_id: "mail", targets: ["print", "mail"] });
  expect((await untilTurn(kernel, P, agent_turn_id)).status).toBe("success");
  await mail.stop();
});

test("never run one turn twice: 100 turns, two workers", async () => {
  await seedProject(kernel, P, [
    scripted("Solo", [{ think: "x" }, { call: "think", arguments: { thought: "y" } }, { deliver: "{instruction}" }], {
      worker_target: "crowd",
    }),
  ]);
  const crowd = await Promise.all(
    ["a", "b"].map((worker_id) => startTestWorker(kernel, { worker_id, targets: ["crowd"], concurrency: 6 })),
  );
  const launched = [];
  for (let i = 0; i < 100; i++) launched.push(await launchTurn(kernel, P, { target: "Solo", instruction: `n${i}` }));
  const ran = [];
  for (const { agent_turn_id } of launched) ran.push(await untilTurn(kernel, P, agent_turn_id, "ended", 30_000));
  await Promise.all(crowd.map((one) => one.stop()));
  for (const [i, turn] of ran.entries()) {
    expect(turn).toMatchObject({ status: "success", turn_epoch: 1, attempt: 1, step_count: 3, output_cards: 5 });
    expect(await deliverableOf(kernel, turn)).toBe(`n${i}`);
  }
  expect(await framesOf(kernel, P, "rejected_late")).toEqual([]);
  const tasks = (await framesOf(kernel, P, "task")).map((frame) => frame.id);
  expect(new Set(tasks).size).toBe(tasks.length);
}, 60_000);

test("stop at once, without a message, when another worker takes the turn", async () => {
  await seedProject(kernel, P, [
    scripted("Solo", [{ think: "x" }, { deliver: "late", wait_ms: 60_000 }], { worker_target: "slow" }),
  ]);
  const slow = await startTestWorker(createKernel({ ...kernel, tunables: { ...kernel.tunables, beatMs: 50 } }), {
    worker_id: "slow",
    targets: ["slow"],
  });
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo" });
  await untilTurn(kernel, P, agent_turn_id, (turn) => turn.step_count === 2);
  expect(slow.active()).toBe(1);
  await kernel.db.pool.query(
    `WITH lease AS (UPDATE state.due SET turn_epoch = turn_epoch + 1, claimed_by = 'other' WHERE project_id = $1 AND agent_turn_id = $2)
     UPDATE state.agent_turns SET turn_epoch = turn_epoch + 1, lease_holder = 'other' WHERE project_id = $1 AND agent_turn_id = $2`,
    [P, agent_turn_id],
  );
  await expect.poll(() => slow.active(), { timeout: 3_000 }).toBe(0);
  await slow.stop();
  expect((await turnOf(kernel, P, agent_turn_id)).status).toBe("running");
  expect(await framesOf(kernel, P, "rejected_late")).toEqual([]);
});

test("hand on what they cannot finish when they are stopped", async () => {
  await seedProject(kernel, P, [
    scripted("Solo", [{ think: "first" }, { wait_ms: 1_500 }, { deliver: "second" }], { worker_target: "leaving" }),
  ]);
  const leaving = await startTestWorker(kernel, { worker_id: "leaving", targets: ["leaving"], graceMs: 50 });
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo" });
  await untilTurn(kernel, P, agent_turn_id, (turn) => turn.step_count === 2);
  await leaving.stop();
  // No heartbeat was missed, and the place in the queue is the old one.
  const { rows } = await kernel.db.pool.query(
    `SELECT i.status, i.next_retry_at <= t.created_at AS is_first FROM state.agent_inbox i
     JOIN state.agent_turns t USING (project_id, agent_turn_id) WHERE i.project_id = $1 AND i.turn_epoch = 2`,
    [P],
  );
  expect(rows).toEqual([{ status: "pending", is_first: true }]);
  const staying = await startTestWorker(kernel, { worker_id: "staying", targets: ["leaving"] });
  const turn = await untilTurn(kernel, P, agent_turn_id);
  await staying.stop();
  expect(turn).toMatchObject({ status: "success", turn_epoch: 2, attempt: 1, handovers: 1 });
  const texts = (await outputOf(kernel, turn)).map((card) => (card.content as CardContent & { text: string }).text);
  expect(texts).toEqual(["first", "second"]);
});

test("finish what they can when they are stopped, and are then no longer listed", async () => {
  await seedProject(kernel, P, [scripted("Solo", [{ deliver: "x", wait_ms: 300 }], { worker_target: "polite" })]);
  const polite = await startTestWorker(kernel, { worker_id: "polite", targets: ["polite"] });
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo" });
  await untilTurn(kernel, P, agent_turn_id, (turn) => turn.step_count === 1);
  await polite.stop();
  expect(await turnOf(kernel, P, agent_turn_id)).toMatchObject({ status: "success", turn_epoch: 1 });
  const { rows } = await kernel.db.pool.query("SELECT worker_id FROM state.workers WHERE worker_id = 'polite'");
  expect(rows).toEqual([]);
});

test("hand a turn on when its step ends, if that is within the grace period", async () => {
  await seedProject(kernel, P, [
    scripted("Solo", [{ think: "first", wait_ms: 700 }, { deliver: "second" }], { worker_target: "between" }),
  ]);
  const leaving = await startTestWorker(kernel, { worker_id: "leaving", targets: ["between"] });
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo" });
  await untilTurn(kernel, P, agent_turn_id, (turn) => turn.step_count === 1);
  await leaving.stop();
  const left = await turnOf(kernel, P, agent_turn_id);
  expect(left).toMatchObject({ status: "dispatched", turn_epoch: 2, attempt: 1, handovers: 1, step_count: 1 });
  expect((await outputOf(kernel, left)).map((card) => card.type)).toEqual(["agent.thought"]);
});

test("when stopped a second time, hand on their turns in the middle of a step", async () => {
  await seedProject(kernel, P, [scripted("Solo", [{ deliver: "x", wait_ms: 60_000 }], { worker_target: "twice" })]);
  const leaving = await startTestWorker(kernel, { worker_id: "leaving", targets: ["twice"], graceMs: 60_000 });
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo" });
  await untilTurn(kernel, P, agent_turn_id, (turn) => turn.step_count === 1);
  const stopped = leaving.stop();
  leaving.hurry();
  await stopped;
  expect(await turnOf(kernel, P, agent_turn_id)).toMatchObject({ status: "dispatched", attempt: 1, handovers: 1 });
});

test("hand on a turn and a message whose start was never confirmed to them", async () => {
  await seedProject(kernel, P, [
    scripted("Solo", [{ deliver: "x" }], { worker_target: "unheard" }),
    scripted("Later", [{ deliver: "x" }], { worker_target: "unheard" }),
  ]);
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo" });
  const leaving = await startTestWorker(kernel, { worker_id: "unhearing", targets: ["other"] });
  // Taken in its name, by statements whose answers it never received.
  const own = { worker_id: "unhearing", worker_targets: ["unheard"], project_id: P, limit: 1 };
  expect(await takeWork(kernel, own)).toMatchObject([{ agent_turn_id, turn: { status: "running" } }]);
  const later = await launchTurn(kernel, P, { target: "Later" });
  expect(await claimInbox(kernel, own)).toHaveLength(1);
  await leaving.stop();
  for (const [id, handovers] of [[agent_turn_id, 1] as const, [later.agent_turn_id, 0] as const])
    expect(await turnOf(kernel, P, id)).toMatchObject({ status: "dispatched", attempt: 1, handovers });
  expect(await claimInbox(kernel, { ...own, worker_id: "next", limit: 4 })).toHaveLength(2);
});

test("wait for reads that a page would have given up: the turn goes on when the database answers", async () => {
  await seedProject(kernel, P, [scripted("Patient", [{ deliver: "x" }], { worker_target: "stalled" })]);
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Patient" });
  const brief = createKernel({ ...kernel, tunables: { ...kernel.tunables, readMsMax: 50 } });
  const holder = await kernel.test.pool.connect();
  await holder.query("BEGIN; LOCK TABLE card_boxes IN ACCESS EXCLUSIVE MODE");
  const worker = await startTestWorker(brief, { worker_id: "patient", targets: ["stalled"] });
  try {
    await untilTurn(kernel, P, agent_turn_id, (turn) => turn.status === "running");
    await new Promise((done) => setTimeout(done, 500));
  } finally {
    await holder.query("ROLLBACK");
    holder.release();
  }
  await untilTurn(kernel, P, agent_turn_id, (turn) => turn.ended_at !== null);
  expect(await turnOf(kernel, P, agent_turn_id)).toMatchObject({ status: "success", attempt: 1 });
  await worker.stop();
});

test("whose reads are not answered in time stop all the same: nobody waits for those answers", async () => {
  const brief = createKernel({ ...kernel, tunables: { ...kernel.tunables, readMsMax: 50 } });
  const worker = await startTestWorker(brief, { worker_id: "late", targets: ["late"] });
  const holder = await kernel.test.pool.connect();
  try {
    await holder.query("BEGIN; LOCK TABLE state.due IN ACCESS EXCLUSIVE MODE");
    await worker.stop();
  } finally {
    await holder.query("ROLLBACK");
    holder.release();
  }
});
