// A worker that ends the last branch of a fork goes on with the turn that waits for it: without a claim, and without losing it.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { KernelError } from "@/server/contract/errors";
import { createKernel, type Kernel } from "@/server/kernel/kernel";
import { onTurnsEnded } from "@/server/kernel/plan/on-turns-ended";
import { tunables } from "@/server/kernel/tunables";
import { hasReadForJoin } from "@/server/testing/forks";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { deliverableOf, framesOf, launchTurn, scripted, startTestWorker, untilTurn } from "@/server/testing/turns";
import type { Worker } from "./loop";

let kernel: TestKernel;
let P = "p0";
let n = 0;
beforeAll(async () => {
  kernel = await openTestKernel({ tunables: { ...tunables, pollMs: 100 } });
});
afterAll(() => kernel.close());
beforeEach(() => {
  P = `goes_on_${++n}`;
});

const hands = (count: number, ref = "Hand") =>
  Array.from({ length: count }, (_, i) => ({ target_strategy: "new", target_ref: ref, instruction: `part ${i}` }));
const seed = (target: string, tasks: ReturnType<typeof hands>) =>
  seedProject(kernel, P, [
    scripted(
      "Boss",
      [{ call: "fork_join", arguments: { tasks } }, { call: "fork_join", arguments: { tasks } }, { deliver: "joined" }],
      { worker_target: target, allowed_tools: ["fork_join"] },
    ),
    scripted("Hand", [{ deliver: "{instruction}" }], { worker_target: target }),
  ]);

/** Statements of each unit that was about to commit and resumed a turn. */
function watched(units: string[][], more?: Kernel["probe"]): Kernel {
  return createKernel({
    ...kernel,
    probe: async (point, statements) => {
      if (
        point === "before-commit" &&
        (statements.includes("resume_turn") || statements.includes("turn_advance_applying"))
      )
        units.push([...statements]);
      await more?.(point, statements);
    },
  });
}

for (const concurrency of [1, 8])
  test(`with ${concurrency} at a time, each join is resumed by the transaction that ends its batch`, async () => {
    const target = `desk_${concurrency}`;
    await seed(target, hands(3));
    const units: string[][] = [];
    const worker = await startTestWorker(watched(units), { worker_id: target, targets: [target], concurrency });
    const { agent_turn_id } = await launchTurn(kernel, P, { target: "Boss" });
    const turn = await untilTurn(kernel, P, agent_turn_id);
    await worker.stop();
    expect(turn).toMatchObject({ status: "success", turn_epoch: 3, attempt: 1 });
    expect(await deliverableOf(kernel, turn)).toBe("joined");
    expect(units.map((names) => names.includes("batch_end"))).toEqual([true, true]);
    expect(await framesOf(kernel, P, "rejected_late")).toEqual([]);
  });

test("by the star it goes on with what nobody asks for by name", async () => {
  await seed("by_star", hands(2));
  const units: string[][] = [];
  const star = await startTestWorker(watched(units), { worker_id: "star" });
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Boss" });
  expect(await untilTurn(kernel, P, agent_turn_id)).toMatchObject({ status: "success" });
  await star.stop();
  expect(units.map((names) => names.includes("batch_end"))).toEqual([true, true]);

  P = `${P}_named`;
  await seedProject(kernel, P, [
    scripted("Boss", [{ call: "fork_join", arguments: { tasks: hands(1) } }, { deliver: "joined" }], {
      worker_target: "upstairs",
      allowed_tools: ["fork_join"],
    }),
    scripted("Hand", [{ deliver: "x" }], { worker_target: "downstairs" }),
  ]);
  units.length = 0;
  const workers = await Promise.all(
    ["upstairs", "downstairs"].map((name) => startTestWorker(watched(units), { worker_id: name, targets: [name] })),
  );
  const other = await launchTurn(kernel, P, { target: "Boss" });
  expect(await untilTurn(kernel, P, other.agent_turn_id)).toMatchObject({ status: "success", turn_epoch: 2 });
  await Promise.all(workers.map((worker) => worker.stop()));
  expect(units.map((names) => names.includes("batch_end"))).toEqual([false]);
});

test("who asks for the target by name meanwhile has what the star would have gone on with", async () => {
  await seedProject(kernel, P, [
    scripted("Boss", [{ call: "fork_join", arguments: { tasks: hands(1) } }, { deliver: "joined" }], {
      worker_target: "office",
      allowed_tools: ["fork_join"],
    }),
    scripted("Hand", [{ wait_ms: 800, deliver: "x" }], { worker_target: "anywhere" }),
  ]);
  const star = await startTestWorker(kernel, { worker_id: "star_2" });
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Boss" });
  await untilTurn(kernel, P, agent_turn_id, "suspended");
  const office = await startTestWorker(kernel, { worker_id: "office", targets: ["office"] });
  const isThere = "SELECT 1 FROM state.workers WHERE worker_id = 'office'";
  await expect.poll(async () => (await kernel.db.pool.query(isThere)).rowCount).toBe(1);
  expect(await untilTurn(kernel, P, agent_turn_id)).toMatchObject({ status: "success", turn_epoch: 2 });
  await Promise.all([star.stop(), office.stop()]);
  const { rows } = await kernel.db.pool.query(
    "SELECT claimed_by FROM state.inbox_messages WHERE project_id = $1 AND agent_turn_id = $2 AND message_type = 'tool_result'",
    [P, agent_turn_id],
  );
  expect(rows).toEqual([{ claimed_by: "office" }]);
});

test("a result that it claimed, and that was read by going to sleep, does not set a second thread on the turn", async () => {
  await seedProject(kernel, P, [
    scripted(
      "Boss",
      [
        {
          calls: ["Hand", "Slow"].map((ref) => ({ call: "fork_join", arguments: { tasks: hands(1, ref) } })),
        },
        { wait_ms: 400, deliver: "joined" },
      ],
      { worker_target: "twice", allowed_tools: ["fork_join"] },
    ),
    scripted("Hand", [{ wait_ms: 600, deliver: "x" }], { worker_target: "twice" }),
    scripted("Slow", [{ wait_ms: 1_100, deliver: "x" }], { worker_target: "twice" }),
  ]);
  const results =
    "FROM state.inbox_messages WHERE project_id = $1 AND message_type = 'tool_result' AND status = 'pending'";
  const rowsOf = async (text: string, values: unknown[]) => (await kernel.db.pool.query(text, values)).rowCount ?? 0;
  const waitsFor = (like: string) =>
    expect
      .poll(
        () =>
          rowsOf(
            "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database() AND query LIKE $1",
            [like],
          ),
        { timeout: 6_000 },
      )
      .toBeGreaterThan(0);
  // The first result is claimed, the turn reads it by going to sleep, and the end of the second batch comes before the claim's resume.
  let forks = 0;
  let ends = 0;
  let isClaimed = false;
  const order: string[] = [];
  const slow = createKernel({
    ...kernel,
    onTurnsEnded: { ...onTurnsEnded, beforeEnd: undefined },
    probe: async (point, statements) => {
      const has = (name: string) => statements.includes(name);
      if (point === "after-commit" && has("fork_insert") && ++forks === 2)
        await expect.poll(() => isClaimed, { timeout: 6_000 }).toBe(true);
      if (point === "after-take" && !isClaimed) {
        const [all, free] = [
          await rowsOf(`SELECT 1 ${results}`, [P]),
          await rowsOf(`SELECT 1 ${results} FOR UPDATE SKIP LOCKED`, [P]),
        ];
        if (all === 0 || free > 0) return;
        isClaimed = true;
        await waitsFor("%AS is_kept%");
        order.push("the end of the second batch waits for the turn");
      }
      if (point === "before-end" && ++ends === 2) {
        await waitsFor("%SET status = 'consumed', archived_at = now()%");
        order.push("going to sleep waits for the first result");
      }
    },
  });
  const worker = await startTestWorker(slow, { worker_id: "twice", targets: ["twice"] });
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Boss" });
  const turn = await untilTurn(kernel, P, agent_turn_id);
  await worker.stop();
  expect(order).toEqual([
    "going to sleep waits for the first result",
    "the end of the second batch waits for the turn",
  ]);
  expect(turn).toMatchObject({ status: "success", turn_epoch: 2 });
  const { rows } = await kernel.db.pool.query(
    "SELECT status FROM state.agent_steps WHERE project_id = $1 AND agent_turn_id = $2",
    [P, agent_turn_id],
  );
  expect(rows).toEqual([{ status: "completed" }, { status: "completed" }]);
  expect(await framesOf(kernel, P, "rejected_late")).toEqual([]);
});

test("the answer to the commit is lost: it asks what it holds, and goes on long before the lease is over", async () => {
  await seed("lossy", hands(1));
  let lost = 0;
  const lossy = watched([], (point, statements) => {
    if (point !== "after-commit" || !statements.includes("batch_end") || lost++ > 0) return;
    throw new KernelError("outcome_unknown", "the answer was lost");
  });
  const worker = await startTestWorker(lossy, { worker_id: "lossy", targets: ["lossy"] });
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Boss" });
  const turn = await untilTurn(kernel, P, agent_turn_id);
  await worker.stop();
  expect(lost).toBeGreaterThan(0);
  expect(turn).toMatchObject({ status: "success", turn_epoch: 3, attempt: 1 });
  // Its branch ended with that commit. The worker does not know it and delivers again, which is refused as late.
  expect(await framesOf(kernel, P, "rejected_late")).toMatchObject([{ what: "deliver" }]);
});

for (const point of ["settle-locked", "before-commit"])
  test(`stopped at ${point} of the end of a batch, it leaves the turn to another worker at once`, async () => {
    const target = `leaving_${point}`;
    await seed(target, hands(1));
    let worker: Worker | undefined;
    let stopped: Promise<void> | undefined;
    const leaving = watched([], (at, statements) => {
      if (at === point && hasReadForJoin(statements)) stopped ??= worker?.stop();
    });
    worker = await startTestWorker(leaving, { worker_id: target, targets: [target] });
    const { agent_turn_id } = await launchTurn(kernel, P, { target: "Boss" });
    await expect.poll(() => stopped !== undefined, { timeout: 10_000 }).toBe(true);
    await stopped;
    expect(worker.active()).toBe(0);
    const left = await untilTurn(kernel, P, agent_turn_id, (turn) => turn.lease_holder === null, 1_000);
    expect(left.status).toBe(point === "settle-locked" ? "suspended" : "dispatched");
    const staying = await startTestWorker(kernel, { worker_id: `staying_${point}`, targets: [target] });
    const turn = await untilTurn(kernel, P, agent_turn_id);
    await staying.stop();
    expect(turn).toMatchObject({ status: "success", attempt: 1 });
    expect(await deliverableOf(kernel, turn)).toBe("joined");
  });
