// Taking work: what is claimed and started at once, in how many statements, and what is left to a start of its own.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { countStatements } from "@/server/testing/statements";
import { framesOf, launchTurn, scripted, startTestWorker, turnOf, untilTurn } from "@/server/testing/turns";
import { createKernel, type Kernel } from "../kernel";
import { startTurn } from "./start-turn";
import { readHeld, takeWork } from "./take-work";

let kernel: TestKernel;
const P = "p1";
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(
    kernel,
    P,
    ["many", "held", "stale", "lost"].map((name) => scripted(name, [{ deliver: "x" }], { worker_target: name })),
  );
});
afterAll(() => kernel.close());

const take = (target: string, on: Kernel = kernel) =>
  takeWork(on, { project_id: P, worker_targets: [target], worker_id: "w", limit: 16 });
const headOf = async (agent_id: string) =>
  (
    await kernel.test.pool.query("SELECT * FROM state.agent_state_head WHERE project_id = $1 AND agent_id = $2", [
      P,
      agent_id,
    ])
  ).rows[0];

test("one statement claims, starts and writes the frames, however many turns", async () => {
  const costs = [];
  for (const n of [1, 8]) {
    const launched = [];
    for (let i = 0; i < n; i++) launched.push(await launchTurn(kernel, P, { target: "many" }));
    let taken: Awaited<ReturnType<typeof take>> = [];
    // BEGIN and COMMIT, the take.
    costs.push(await countStatements(kernel, async (counting) => (taken = await take("many", counting))));
    expect(taken.map((row) => row.turn?.agent_turn_id)).toEqual(launched.map((turn) => turn.agent_turn_id));
    for (const { turn } of taken) {
      expect(turn).toMatchObject({ status: "running", lease_holder: "w", turn_epoch: 1, attempt: 1 });
      expect(await headOf(turn?.agent_id ?? "")).toMatchObject({ status: "running", lease_holder: "w" });
    }
  }
  expect(costs).toEqual([3, 3]);
  const { rows } = await kernel.test.pool.query(
    "SELECT DISTINCT status FROM state.agent_inbox WHERE project_id = $1 AND worker_target = 'many'",
    [P],
  );
  expect(rows).toEqual([{ status: "consumed" }]);
});

test("a turn that is locked is claimed without waiting, and started when it is free", async () => {
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "held" });
  const other = await kernel.test.pool.connect();
  await other.query("BEGIN");
  await other.query("SELECT 1 FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2 FOR UPDATE", [
    P,
    agent_turn_id,
  ]);
  const [row] = await take("held");
  expect(row).toMatchObject({ agent_turn_id, message_type: "turn" });
  expect(row).not.toHaveProperty("turn");
  expect((await turnOf(kernel, P, agent_turn_id)).status).toBe("dispatched");
  await other.query("ROLLBACK");
  other.release();
  const started = await startTurn(kernel, { project_id: P, agent_turn_id, turn_epoch: 1, worker_id: "w" });
  expect(started).toMatchObject({ turn: { status: "running", lease_holder: "w" } });
});

test("a row from an older epoch starts nothing", async () => {
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "stale" });
  await kernel.test.pool.query(
    "UPDATE state.agent_turns SET turn_epoch = 2 WHERE project_id = $1 AND agent_turn_id = $2",
    [P, agent_turn_id],
  );
  const [row] = await take("stale");
  expect(row).toMatchObject({ agent_turn_id, turn_epoch: 1 });
  expect(row).not.toHaveProperty("turn");
  expect(await startTurn(kernel, { project_id: P, agent_turn_id, turn_epoch: 1, worker_id: "w" })).toMatchObject({
    fenced: true,
  });
});

test("a worker runs what it took by a statement whose answer never came", async () => {
  let isLost = false;
  const pool = Object.create(kernel.db.pool);
  // Nor does anybody answer who is asked what became of it.
  const connectAnew = () => Promise.reject(Object.assign(new Error("away"), { code: "ECONNREFUSED" }));
  const broken = createKernel({
    ...kernel,
    db: { ...kernel.db, pool, connectAnew },
    tunables: { ...kernel.tunables, outcomeMs: 0 },
  });
  pool.query = kernel.db.pool.query.bind(kernel.db.pool);
  pool.connect = async () => {
    const client = await kernel.db.pool.connect();
    const { query, release } = client;
    let isTaking = false;
    const lossy = async (...args: unknown[]) => {
      const answer = await (query as (...all: unknown[]) => Promise<{ rows: unknown[] }>).apply(client, args);
      const [asked] = args as [{ name?: string; text?: string }];
      if (asked.name === "work_take" && answer.rows.length > 0) isTaking = !isLost;
      if (asked.text !== "COMMIT" || !isTaking) return answer;
      isLost = true;
      throw Object.assign(new Error("Connection terminated unexpectedly"), { code: "08006" });
    };
    client.query = lossy as typeof client.query;
    client.release = (error) => {
      client.query = query;
      client.release = release;
      release.call(client, error);
    };
    return client;
  };
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "lost" });
  const worker = await startTestWorker(broken, { worker_id: "unlucky", targets: ["lost"] });
  const turn = await untilTurn(kernel, P, agent_turn_id);
  await worker.stop();
  expect(isLost).toBe(true);
  expect(turn).toMatchObject({ status: "success", attempt: 1, turn_epoch: 1 });
  expect(await readHeld(kernel, "unlucky")).toEqual([]);
  expect(await framesOf(kernel, P, "rejected_late")).toHaveLength(1);
});
