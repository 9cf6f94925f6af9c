// Messages that are put off or done with: how often, by whom, and what it does to the turn.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callersOf, type Running } from "@/server/testing/callers";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { framesOf, turnOf } from "@/server/testing/turns";
import { ackRow } from "../inbox/ack-row";
import { claimInbox } from "../inbox/claim-inbox";
import { deferRow } from "./defer-row";

let kernel: TestKernel;
const P = "p1";
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Plain", worker_target: "t1" }]);
  await seedProject(kernel, "p2");
});
afterAll(() => kernel.close());
const { running } = callersOf(() => kernel, P);

type Post = { message_type?: string; turn_epoch?: number };
let posted = 0;

/** A message for the turn, as a doorbell's other side would leave it. */
async function post(turn: Running, { message_type = "tool_result", turn_epoch = turn.turn_epoch }: Post = {}) {
  const inbox_id = `message_${++posted}`;
  await kernel.test.pool.query(
    `INSERT INTO state.inbox_messages (project_id, inbox_id, agent_id, message_type, correlation_id, agent_turn_id, turn_epoch,
       worker_target, status)
     VALUES ($1, $2, $3, $4, $2, $5, $6, 't1', 'pending')`,
    [P, inbox_id, turn.agent_id, message_type, turn.agent_turn_id, turn_epoch],
  );
  return inbox_id;
}
const rowOf = async (inbox_id: string) =>
  (
    await kernel.test.pool.query("SELECT * FROM state.agent_inbox WHERE project_id = $1 AND inbox_id = $2", [
      P,
      inbox_id,
    ])
  ).rows[0];
const claim = async () =>
  (await claimInbox(kernel, { project_id: P, worker_targets: ["t1"], worker_id: "w", limit: 16 })).map(
    (r) => r.inbox_id,
  );
const makeDue = (inbox_id: string) =>
  kernel.test.pool.query("UPDATE state.inbox_messages SET next_retry_at = now() WHERE inbox_id = $1", [inbox_id]);
const suspend = (turn: Running) =>
  kernel.test.pool.query(
    `WITH gone AS (DELETE FROM state.due WHERE project_id = $1 AND agent_turn_id = $2)
     UPDATE state.agent_turns SET status = 'suspended' WHERE project_id = $1 AND agent_turn_id = $2`,
    [P, turn.agent_turn_id],
  );

async function refusal(work: () => Promise<unknown>) {
  const before = await countRows(kernel);
  const error = await work().then(
    () => undefined,
    (e: unknown) => e,
  );
  expect(await countRows(kernel)).toEqual(before);
  return error;
}

describe("129 a message that is deferred", () => {
  test("three times it is scheduled, later each time; the fourth fails its turn and the row is consumed", async () => {
    const turn = await running("Plain");
    await suspend(turn);
    const inbox_id = await post(turn);
    for (const [n, ms] of [1_000, 2_000, 4_000].entries()) {
      expect(await claim()).toEqual([inbox_id]);
      const answer = await deferRow(kernel, { project_id: P, inbox_id, reason: `not yet ${n}` });
      expect(answer).toMatchObject({ status: "deferred", retry_count: n + 1 });
      const row = await rowOf(inbox_id);
      expect(row).toMatchObject({
        status: "deferred",
        retry_count: n + 1,
        defer_reason: `not yet ${n}`,
        claimed_by: null,
      });
      const delay = Date.parse(row.next_retry_at) - Date.now();
      expect(delay).toBeGreaterThan(ms - 900);
      expect(delay).toBeLessThanOrEqual(ms);
      expect(await claim()).toEqual([]);
      await makeDue(inbox_id);
    }
    expect(await claim()).toEqual([inbox_id]);
    expect(await deferRow(kernel, { project_id: P, inbox_id, reason: "never" })).toEqual({
      inbox_id,
      status: "consumed",
    });
    expect((await rowOf(inbox_id)).status).toBe("consumed");
    const ended = await turnOf(kernel, P, turn.agent_turn_id);
    expect(ended).toMatchObject({
      status: "failed",
      error_code: "resume_retry_exhausted",
      turn_epoch: turn.turn_epoch + 1,
    });
    expect(ended.deliverable_card_id).not.toBeNull();
    expect((await framesOf(kernel, P, "task")).filter((frame) => frame.id === turn.agent_turn_id)).toHaveLength(1);
  });
  test("a delay that is given is kept", async () => {
    const inbox_id = await post(await running("Plain"));
    await claim();
    const answer = await deferRow(kernel, { project_id: P, inbox_id, reason: "busy", delay_ms: 60_000 });
    expect(Date.parse(answer.next_retry_at ?? "") - Date.now()).toBeGreaterThan(55_000);
  });
  test("one from an older epoch ends nothing: it is consumed, and journaled as late", async () => {
    const turn = await running("Plain");
    const inbox_id = await post(turn, { turn_epoch: turn.turn_epoch - 1 });
    await kernel.test.pool.query("UPDATE state.inbox_messages SET retry_count = 3 WHERE inbox_id = $1", [inbox_id]);
    await claim();
    expect(await deferRow(kernel, { project_id: P, inbox_id, reason: "x" })).toEqual({ inbox_id, status: "consumed" });
    expect((await turnOf(kernel, P, turn.agent_turn_id)).status).toBe("running");
    const late = (await framesOf(kernel, P, "rejected_late")).filter((f) => f.agent_turn_id === turn.agent_turn_id);
    expect(late).toMatchObject([{ what: "defer", turn_epoch: turn.turn_epoch - 1, current_epoch: turn.turn_epoch }]);
  });
  test("deferred by two at once, it counts once", async () => {
    const inbox_id = await post(await running("Plain"));
    await claim();
    const answers = await Promise.allSettled(
      [1, 2, 3].map(() => deferRow(kernel, { project_id: P, inbox_id, reason: "x", delay_ms: 60_000 })),
    );
    expect(answers.filter((answer) => answer.status === "fulfilled")).toHaveLength(1);
    expect((await rowOf(inbox_id)).retry_count).toBe(1);
  });
});

describe("a message that is done with", () => {
  test("is consumed, and repeating that is harmless", async () => {
    const inbox_id = await post(await running("Plain"), { message_type: "ui_action" });
    await claim();
    const acked = { inbox_id, status: "consumed" };
    expect(await ackRow(kernel, { project_id: P, inbox_id, worker_id: "w" })).toEqual(acked);
    expect(await ackRow(kernel, { project_id: P, inbox_id })).toEqual(acked);
    expect((await rowOf(inbox_id)).archived_at).not.toBeNull();
  });
  test("unless a turn waits for it: nothing is lost by an acknowledgement", async () => {
    const turn = await running("Plain");
    const inbox_id = await post(turn);
    const old = await post(turn, { turn_epoch: turn.turn_epoch - 1 });
    await suspend(turn);
    await claim();
    expect(await refusal(() => ackRow(kernel, { project_id: P, inbox_id }))).toMatchObject({ code: "conflict" });
    expect((await rowOf(inbox_id)).status).toBe("processing");
    expect((await ackRow(kernel, { project_id: P, inbox_id: old })).status).toBe("consumed");
  });
});

describe.each([
  ["ackRow", (row: { project_id: string; inbox_id: string; worker_id?: string }) => ackRow(kernel, row)],
  [
    "deferRow",
    (row: { project_id: string; inbox_id: string; worker_id?: string }) => deferRow(kernel, { ...row, reason: "x" }),
  ],
])("%s refuses", (_name, verb) => {
  test("an unknown row and one of another project alike", async () => {
    const inbox_id = await post(await running("Plain"), { message_type: "ui_action" });
    await claim();
    expect(await refusal(() => verb({ project_id: P, inbox_id: "nope" }))).toMatchObject({ code: "not_found" });
    expect(await refusal(() => verb({ project_id: "p2", inbox_id }))).toMatchObject({ code: "not_found" });
  });
  test("a row that is not claimed, or is somebody else's", async () => {
    const inbox_id = await post(await running("Plain"), { message_type: "ui_action" });
    expect(await refusal(() => verb({ project_id: P, inbox_id }))).toMatchObject({ code: "conflict" });
    await claim();
    expect(await refusal(() => verb({ project_id: P, inbox_id, worker_id: "other" }))).toMatchObject({
      code: "conflict",
    });
  });
  test("a turn's row, which is started", async () => {
    const turn = await running("Plain");
    const { rows } = await kernel.test.pool.query(
      "SELECT inbox_id FROM state.agent_inbox WHERE agent_turn_id = $1 AND message_type = 'turn'",
      [turn.agent_turn_id],
    );
    expect(await refusal(() => verb({ project_id: P, inbox_id: rows[0].inbox_id }))).toMatchObject({
      code: "bad_request",
    });
  });
});
