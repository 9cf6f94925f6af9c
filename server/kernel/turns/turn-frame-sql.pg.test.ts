// The frame that the database makes of a turn is the one that is made here, whatever the turn has been through.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { launchTurn, scripted, startTestWorker, untilTurn } from "@/server/testing/turns";
import { turnFrameSql } from "./turn-frame-sql";
import { type TurnRow, turnFrame } from "./turn-row";

const P = "p1";
let kernel: TestKernel;

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [scripted("Solo", [{ deliver: "x" }])]);
});
afterAll(() => kernel.close());

/** Of a row and of its frame as Postgres makes it. */
async function bothOf(where: string): Promise<{ made: unknown; told: unknown }[]> {
  const { rows } = await kernel.test.pool.query<TurnRow & { made: unknown }>(
    `SELECT t.*, ${turnFrameSql("t")} AS made FROM state.agent_turns t WHERE ${where}`,
  );
  return rows.map(({ made, ...row }) => ({ made, told: JSON.parse(JSON.stringify(turnFrame(row))) }));
}

test("of turns that wait, run and have ended, of agents and of people", async () => {
  const waiting = await launchTurn(kernel, P, { target: "Solo" });
  const frames = await bothOf("true");
  expect(frames).toHaveLength(2);
  for (const { made, told } of frames) expect(made).toEqual(told);
  const worker = await startTestWorker(kernel);
  await untilTurn(kernel, P, waiting.agent_turn_id);
  await worker.stop();
  const [ended] = await bothOf(`agent_turn_id = '${waiting.agent_turn_id}'`);
  expect(ended?.made).toEqual(ended?.told);
  expect(ended?.told).toMatchObject({ status: "success", ended_at: expect.stringMatching(/^2\d{3}-.*T.*\.\d{3}Z$/) });
});

test("with every column filled: money, times to the microsecond, data of an import or a fork", async () => {
  await kernel.test.pool.query(`
    UPDATE state.agent_turns SET cost = 0.010200, tokens_in = 5000000000, note = E'"a\\n\\\\b"', error_code = 'x', error = '\u00e4 \u{1f600}',
      mark = '{"kind": "mistake", "card_id": "c", "reason": "r"}', forked_from = '{"agent_turn_id": "t", "dropped": ["c"]}',
      heartbeat_at = '2026-01-02 03:04:05.678999+02', leased_at = '2026-01-02 03:04:05+00', lease_holder = 'w',
      task_index = 0, batch_id = 'b', batch_task_id = 'k'`);
  const frames = await bothOf("true");
  for (const { made, told } of frames) expect(made).toEqual(told);
  expect(frames[0]?.told).toMatchObject({
    cost: 0.0102,
    heartbeat_at: "2026-01-02T01:04:05.678Z",
    leased_at: "2026-01-02T03:04:05.000Z",
    forked_from: { agent_turn_id: "t", dropped: ["c"] },
  });
});
