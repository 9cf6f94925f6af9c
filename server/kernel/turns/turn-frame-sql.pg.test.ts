// The frame that the database makes of a turn is the one that is made here, whatever the turn has been through.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { launchTurn, scripted, startTestWorker, untilTurn } from "@/server/testing/turns";
import { TELLS, TOLD_COLUMNS, toldTurnSql, turnFrameSql } from "./turn-frame-sql";
import { type TurnRow, turnFrame } from "./turn-row";

const P = "p1";
let kernel: TestKernel;

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [scripted("Solo", [{ deliver: "x" }])]);
});
afterAll(() => kernel.close());

/** A row's frame as Postgres makes it at once, as it reads it from a kept row, and as it is made here. */
async function bothOf(where: string): Promise<{ made: unknown; told: unknown }[]> {
  const { rows } = await kernel.test.pool.query<TurnRow & { made: unknown; kept: unknown }>(
    `SELECT t.*, ${turnFrameSql("t")} AS made, f.frame AS kept FROM state.agent_turns t
     CROSS JOIN LATERAL state.frames_of(NULL, ARRAY[${toldTurnSql("t", `${TELLS.turn}`)}], NULL) AS f WHERE ${where}`,
  );
  return rows.flatMap(({ made, kept, ...row }) => {
    const told: unknown = JSON.parse(JSON.stringify(turnFrame(row)));
    return [
      { made, told },
      { made: kept, told },
    ];
  });
}

test("of turns that wait, run and have ended, of agents and of people", async () => {
  const waiting = await launchTurn(kernel, P, { target: "Solo" });
  const frames = await bothOf("true");
  expect(frames).toHaveLength(4);
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

test("a kept row has the columns of its type in their order, and tells of its edge, its end and its box too", async () => {
  const { rows: attributes } = await kernel.test.pool.query<{ name: string }>(
    "SELECT attname AS name FROM pg_attribute WHERE attrelid = 'state.told_turn'::regclass AND attnum > 0 ORDER BY attnum",
  );
  const names = attributes.map(({ name }) => name);
  expect(names.slice(names.indexOf("agent_turn_id"))).toEqual(TOLD_COLUMNS);
  const all = Object.values(TELLS).reduce((sum, one) => sum + one, 0);
  const told = toldTurnSql("t", `${all}`, "'edge_1'", "b.kind, b.owner_turn_id, b.rev, b.length, b.token_sum");
  const { rows } = await kernel.test.pool.query<{ n: number; frame: Record<string, unknown> }>(
    `SELECT f.n, f.frame FROM (SELECT array_agg(${told} ORDER BY t.created_at) AS turns FROM state.agent_turns t
       LEFT JOIN card_boxes b ON b.tenant_id = t.project_id AND b.box_id = t.output_box_id WHERE t.agent_id LIKE 'solo%') p
     CROSS JOIN LATERAL state.frames_of(NULL, p.turns, NULL) f ORDER BY f.n`,
  );
  expect(rows.map(({ n }) => n)).toEqual([1, 2, 3, 4]);
  const [turn, edge, task, box] = rows.map(({ frame }) => frame);
  expect(turn).toMatchObject({ kind: "turn", status: "success" });
  expect(edge).toMatchObject({ kind: "edge", id: "edge_1", rev: 1, target_turn_id: turn?.id, is_inferred: false });
  expect(task).toMatchObject({
    kind: "task",
    id: turn?.id,
    rev: turn?.rev,
    deliverable_card_id: turn?.deliverable_card_id,
  });
  expect(box).toMatchObject({ kind: "box", id: turn?.output_box_id, box_kind: "output", length: 1 });
});
