// Which rows a worker is given, in which order, and what a row contains.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { callersOf, type Running } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { claimWork } from "../turns/claim-work";
import { startTurn } from "../turns/start-turn";
import { claimInbox } from "./claim-inbox";
import { hasOpenRows } from "./has-open-rows";

let kernel: TestKernel;
const P = "claim";
const { running, launched } = callersOf(() => kernel, P);
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Plain", worker_target: "t1" }]);
});
// Rows left by earlier tests do not matter here.
beforeEach(async () => {
  await kernel.test.pool.query("DELETE FROM state.due WHERE heartbeat_at IS NULL");
  await kernel.test.pool.query("UPDATE state.inbox_messages SET status = 'consumed' WHERE status <> 'consumed'");
});
afterAll(() => kernel.close());

let put = 0;
/** A message for the turn; `due` in seconds from now. */
async function message(turn: Running, status: string, due = 0, born = 0): Promise<string> {
  const inbox_id = `m_${++put}`;
  await kernel.test.pool.query(
    `INSERT INTO state.inbox_messages (project_id, inbox_id, agent_id, message_type, correlation_id, agent_turn_id, turn_epoch,
       worker_target, status, next_retry_at, created_at)
     VALUES ($1, $2, $3, 'tool_result', $2, $4, $5, 't1', $6, now() + $7 * interval '1 s', now() + $8 * interval '1 s')`,
    [P, inbox_id, turn.agent_id, turn.agent_turn_id, turn.turn_epoch, status, due, born],
  );
  return inbox_id;
}
const claim = async (limit = 16, worker_id = "w", targets = ["t1"]) =>
  (await claimInbox(kernel, { project_id: P, worker_targets: targets, worker_id, limit })).map((row) => row.inbox_id);
const statusOf = async (inbox_id: string) =>
  (
    await kernel.test.pool.query(
      "SELECT status, claimed_by FROM state.agent_inbox WHERE project_id = $1 AND inbox_id = $2",
      [P, inbox_id],
    )
  ).rows[0];

describe("127 a claim", () => {
  test("takes what is pending, and what was deferred and is due, and nothing else; a second one finds nothing", async () => {
    const turn = await running("Plain");
    const pending = await message(turn, "pending");
    const due = await message(turn, "deferred", -5);
    const others = [
      await message(turn, "deferred", 60),
      await message(turn, "queued"),
      await message(turn, "processing"),
      await message(turn, "consumed"),
      await message(turn, "skipped"),
    ];
    expect(await claim()).toEqual([due, pending]);
    for (const inbox_id of [pending, due])
      expect(await statusOf(inbox_id)).toEqual({ status: "processing", claimed_by: "w" });
    expect(await claim(16, "w2")).toEqual([]);
    expect((await statusOf(others[0] ?? "")).status).toBe("deferred");
  });
  test("is in due order, then in the order of creation", async () => {
    const turn = await running("Plain");
    const c = await message(turn, "pending", -1, -1);
    const b = await message(turn, "pending", -3, -2);
    const a = await message(turn, "deferred", -9, -1);
    expect(await claim(2)).toEqual([a, b]);
    expect(await claim()).toEqual([c]);
  });
  test("of several at once gives each row to one, and of each target to its own", async () => {
    const turn = await running("Plain");
    const all: string[] = [];
    for (let i = 0; i < 20; i++) all.push(await message(turn, "pending"));
    expect(await claim(16, "w", ["t2"])).toEqual([]);
    const claims = await Promise.all(["w1", "w2", "w3", "w4"].map((worker) => claim(7, worker)));
    const taken = claims.flat();
    expect(new Set(taken).size).toBe(taken.length);
    taken.push(...(await claim()), ...(await claim()));
    expect(taken.sort()).toEqual(all.sort());
  });
  test("takes no more than claimLimit, however many are requested", async () => {
    const turn = await running("Plain");
    for (let i = 0; i < 66; i++) await message(turn, "pending");
    expect(await claim(1_000)).toHaveLength(64);
  });
});

describe("131 whether a turn has unread messages", () => {
  test("counts what is pending, deferred or claimed; not its own row, and not what waits behind it", async () => {
    const turn = await running("Plain");
    const open = () => hasOpenRows(kernel, { project_id: P, agent_turn_id: turn.agent_turn_id });
    for (const status of ["queued", "consumed", "skipped", "error"]) await message(turn, status);
    expect(await open()).toBe(false);
    for (const status of ["pending", "deferred", "processing"]) {
      const inbox_id = await message(turn, status, 60);
      expect(await open()).toBe(true);
      await kernel.test.pool.query("UPDATE state.inbox_messages SET status = 'consumed' WHERE inbox_id = $1", [
        inbox_id,
      ]);
      expect(await open()).toBe(false);
    }
    await message(await running("Plain"), "pending");
    expect(await open()).toBe(false);
  });
});

describe("133 who a row is for", () => {
  test("is known from the turn, whose message it is, and says where its cards are", async () => {
    const child = await launched("Plain");
    const [work] = await claimWork(kernel, { project_id: P, worker_target: "t1", worker_id: "w", limit: 1 });
    expect(work).toMatchObject({ epoch: 1, turn: { agent_turn_id: child.agent_turn_id, agent_id: child.agent_id } });
    expect(work?.inbox).toMatchObject({
      agent_id: child.agent_id,
      context_headers: { "CG-Agent-Id": child.agent_id, "CG-Recursion-Depth": 1 },
      payload: { context_box_id: child.context_box_id },
      message_type: "turn",
      correlation_id: child.agent_turn_id,
      attempt: 1,
    });
    const started = await startTurn(kernel, {
      project_id: P,
      agent_turn_id: child.agent_turn_id,
      turn_epoch: 1,
      worker_id: "w",
    });
    expect(started).toMatchObject({ turn: { context_box_id: child.context_box_id } });
  });
});
