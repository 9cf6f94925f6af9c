// Which rows a claim takes, in which order, and why.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { callersOf, type Running } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { takeWork } from "../turns/take-work";
import { claimInbox } from "./claim-inbox";
import { mayHaveLeft } from "./claimable";
import { hasOpenRows } from "./has-open-rows";

let kernel: TestKernel;
let turn: Running;
const P = "p1";
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Plain" }]);
});
beforeEach(async () => {
  turn = await callersOf(() => kernel, P).running("Plain");
});
afterAll(() => kernel.close());

type Row = { status: string; due_s?: number; message_type?: string; payload?: object };
let written = 0;
async function post({ status, due_s = 0, message_type = "tool_result", payload = {} }: Row): Promise<string> {
  const inbox_id = `row_${++written}`;
  await kernel.test.pool.query(
    `INSERT INTO state.inbox_messages (project_id, inbox_id, agent_id, message_type, correlation_id, agent_turn_id, turn_epoch,
       worker_target, status, payload, next_retry_at, processed_at)
     VALUES ($1, $2, $3, $4, $2, $5, $6, 'inbox_test', $7, $8, now() + $9 * interval '1 s', CASE WHEN $7 = 'processing' THEN now() END)`,
    [
      P,
      inbox_id,
      turn.agent_id,
      message_type,
      turn.agent_turn_id,
      turn.turn_epoch,
      status,
      JSON.stringify(payload),
      due_s,
    ],
  );
  return inbox_id;
}
const claim = (limit = 16) =>
  claimInbox(kernel, { project_id: P, worker_targets: ["inbox_test"], worker_id: "w", limit });
const statusOf = async (inbox_id: string) =>
  (await kernel.test.pool.query("SELECT status FROM state.agent_inbox WHERE inbox_id = $1", [inbox_id])).rows[0].status;

test("127 a claim takes what is due, the longest due first, and nobody else takes it", async () => {
  const pending = await post({ status: "pending", due_s: -1 });
  const deferred = await post({ status: "deferred", due_s: -60 });
  const others = [
    await post({ status: "deferred", due_s: 60 }),
    await post({ status: "skipped", message_type: "turn" }),
    await post({ status: "processing" }),
  ];
  const before = await Promise.all(others.map(statusOf));
  expect((await claim()).map((row) => row.inbox_id)).toEqual([deferred, pending]);
  expect([await statusOf(deferred), await statusOf(pending)]).toEqual(["processing", "processing"]);
  expect(await Promise.all(others.map(statusOf))).toEqual(before);
  expect(await claim()).toEqual([]);
});

test("127 several claims at once share the rows, and none is taken twice", async () => {
  const ids = await Promise.all(Array.from({ length: 12 }, () => post({ status: "pending" })));
  const taken = (await Promise.all([1, 2, 3, 4].map(() => claim(3)))).flat().map((row) => row.inbox_id);
  expect(new Set(taken).size).toBe(taken.length);
  const rest = (await claim()).map((row) => row.inbox_id);
  expect([...taken, ...rest].sort()).toEqual([...ids].sort());
});

test("131 open is what is pending, deferred or being read; a turn that queues behind this one is not", async () => {
  const isOpen = () => hasOpenRows(kernel, { project_id: P, agent_turn_id: turn.agent_turn_id });
  expect(await isOpen()).toBe(false);
  await post({ status: "skipped", message_type: "turn" });
  expect(await isOpen()).toBe(false);
  for (const status of ["pending", "deferred", "processing"]) {
    const inbox_id = await post({ status, due_s: 60 });
    expect(await isOpen()).toBe(true);
    await kernel.test.pool.query("UPDATE state.inbox_messages SET status = 'consumed' WHERE inbox_id = $1", [inbox_id]);
    expect(await isOpen()).toBe(false);
  }
});

test("133 a row says who it is for by its columns, whatever its payload claims", async () => {
  const payload = { agent_id: "somebody", agent_turn_id: "turn_else", turn_epoch: 99, project_id: "p2" };
  const inbox_id = await post({ status: "pending", payload });
  const [row] = await claim();
  const { agent_id, agent_turn_id, turn_epoch } = turn;
  expect(row).toMatchObject({ inbox_id, project_id: P, agent_id, agent_turn_id, turn_epoch });
});

test("a worker that takes everything leaves what a present worker asks for by name", async () => {
  const row = await post({ status: "pending" });
  const claim = (worker_targets: string[]) =>
    claimInbox(kernel, { worker_targets, worker_id: "w_star", limit: 16, project_id: P });
  const seen = (age_s: number, project_id: string) =>
    kernel.test.pool.query(
      `INSERT INTO state.workers (project_id, worker_id, targets, version, seen_at)
       VALUES ($2, 'w_named', '{inbox_test}', 'test', now() - $1 * interval '1 s')
       ON CONFLICT (project_id, worker_id) DO UPDATE SET seen_at = excluded.seen_at`,
      [age_s, project_id],
    );
  await seen(1, P);
  expect((await claim(["*"])).map((one) => one.inbox_id)).not.toContain(row);
  // Offline for an hour: the built-in worker could only fail turns that the project's own program runs.
  await seen(3600, P);
  expect((await claim(["*"])).map((one) => one.inbox_id)).not.toContain(row);
  await kernel.test.pool.query("DELETE FROM state.workers");
  // A worker of another project and a killed built-in one of other targets reserve nothing.
  await seen(1, "p_other");
  await seen(3600, "*");
  expect((await claim(["*"])).map((one) => one.inbox_id)).toContain(row);
  await kernel.test.pool.query("DELETE FROM state.workers");
});

// Lines of many runs of one row each are what a claim takes least of: eight at most, or the line's share.
const linesOf = [[1], [20], [20, 1], [9, 9, 1], [1, 1, 1, 1], [30, 30, 30, 30], [1, 1, 1, 1, 1, 1, 1, 12], [2, 7]];
test.each([1, 2, 5, 16].flatMap((limit) => linesOf.map((lines) => [limit, lines] as const)))(
  "a claim of up to %i that is said to have left nothing has left nothing: %j",
  async (limit, lines) => {
    const targets = lines.map((_, line) => `line_${limit}_${lines.join("_")}_${line}`);
    await kernel.test.pool.query(
      `INSERT INTO state.inbox_messages (project_id, inbox_id, agent_id, message_type, correlation_id, agent_turn_id, turn_epoch,
         worker_target, status, payload, run_key)
       SELECT $1, g.target || '_' || n, $2, 'tool_result', g.target || '_' || n, $3, $4, g.target, 'pending', '{}', n * 977
       FROM unnest($5::text[], $6::int[]) AS g(target, runs) CROSS JOIN LATERAL generate_series(1, g.runs) AS n`,
      [P, turn.agent_id, turn.agent_turn_id, turn.turn_epoch, targets, lines],
    );
    let left = lines.reduce((sum, runs) => sum + runs, 0);
    for (let said = true; said; ) {
      const { length } = await takeWork(kernel, { worker_targets: targets, worker_id: "w", limit });
      left -= length;
      said = mayHaveLeft(length, limit);
      expect(length).toBeGreaterThan(said ? 0 : -1);
    }
    expect(left).toBe(0);
  },
);
