// Locks against real transactions: who waits for a head, a turn or a box sees what they have become, and no two who lock the
// same turns lock them in different orders (K2, K17).
import { afterAll, beforeAll, expect, test } from "vitest";
import { callersOf, type Running } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { type Unit, withUnit } from "../unit";
import { advance } from "./advance";
import { type Fenced, isFenced } from "./fenced";
import { lockEnding, lockTurn, lockTurns, type TurnKey } from "./lock-turn";

let kernel: TestKernel;
const P = "locks";
const { running } = callersOf(() => kernel, P);
const asked = { statuses: ["running" as const], what: "append" };
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Plain" }]);
});
afterAll(() => kernel.close());

// The server is shared with other tests.
const WAITING =
  "SELECT count(*)::int AS n FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted AND datname = current_database()";
async function untilSomeoneWaits(): Promise<void> {
  for (const end = Date.now() + 10_000; Date.now() < end; await new Promise((done) => setTimeout(done, 5)))
    if ((await kernel.test.pool.query<{ n: number }>(WAITING)).rows[0]?.n) return;
  throw new Error("nobody waits");
}

/** `second` begins while `first` is done and not committed, and is answered after the commit. */
async function behind<T>(first: (unit: Unit) => Promise<unknown>, second: () => Promise<T>): Promise<T> {
  let answer: Promise<T> | undefined;
  await withUnit(kernel, async (unit) => {
    await first(unit);
    answer ??= second();
    await untilSomeoneWaits();
  });
  if (!answer) throw new Error("the first unit never ran");
  return answer;
}

const lock = (key: TurnKey) => withUnit(kernel, (unit) => lockTurn(unit, { ...key, ...asked }));
const ending = async (key: TurnKey) =>
  (await withUnit(kernel, (unit) => lockEnding(unit, { project_id: P, keys: [key], ...asked })))[0];
const move = (unit: Unit, turn: Running, more: object = {}) =>
  advance(unit, { ...turn, from: ["running"], to: "running", epoch_step: 0, lease_holder: "w2", ...more });
const keyOf = ({ project_id, agent_turn_id, turn_epoch }: Running): TurnKey => ({
  project_id,
  agent_turn_id,
  turn_epoch,
});

test.each([
  ["an epoch later", { epoch_step: 1 }, 2],
  ["asleep", { to: "suspended", waiting: { count: 1, deadline: null } }, 1],
])("a head that moved during the wait for its lock is fenced: %s", async (_name, more, current_epoch) => {
  for (const take of [lock, ending]) {
    const turn = await running("Plain");
    const late = await behind<unknown>(
      (unit) => move(unit, turn, more),
      () => take(keyOf(turn)),
    );
    expect(late).toEqual({ fenced: true, current_epoch });
  }
});

test("a head that moved but still matches is locked, and the turn is read in its latest state", async () => {
  const turn = await running("Plain");
  const row = await behind(
    (unit) => move(unit, turn, { note: "newest" }),
    () => lock(keyOf(turn)),
  );
  expect(isFenced(row) ? row : [row.note, row.lease_holder]).toEqual(["newest", "w2"]);
});

test("a turn and a box that were written during the wait are read in their latest state", async () => {
  const turn = await running("Plain");
  const { output_box_id } = turn.turn;
  const row = await behind(
    (unit) =>
      Promise.all([
        unit.query(
          "note",
          "UPDATE state.agent_turns SET title = 'newest' WHERE project_id = $1 AND agent_turn_id = $2",
          [P, turn.agent_turn_id],
        ),
        unit.query("grow", "UPDATE card_boxes SET token_sum = 77 WHERE tenant_id = $1 AND box_id = $2", [
          P,
          output_box_id,
        ]),
      ]),
    () => ending(keyOf(turn)),
  );
  expect(row).toMatchObject({ agent_turn_id: turn.agent_turn_id, token_sum: 77 });
  expect(await lock(keyOf(turn))).toMatchObject({ title: "newest" });
});

test("the same key twice is answered twice; another epoch of the same turn is fenced", async () => {
  const [a, b] = [await running("Plain"), await running("Plain")];
  const keys = [keyOf(b), { ...keyOf(a), turn_epoch: 9 }, keyOf(b), keyOf(a)];
  const fenced = { fenced: true, current_epoch: 1 };
  const told = [
    { agent_turn_id: b.agent_turn_id },
    fenced,
    { agent_turn_id: b.agent_turn_id },
    { agent_turn_id: a.agent_turn_id },
  ];
  const given = { project_id: P, keys, ...asked };
  expect(await withUnit(kernel, (unit) => lockTurns(unit, given))).toMatchObject(told);
  expect(await withUnit(kernel, (unit) => lockEnding(unit, given))).toMatchObject(told);
});

test("many callers that lock the same turns in any order never deadlock", async () => {
  const turns = await Promise.all(Array.from({ length: 6 }, () => running("Plain")));
  const before = await deadlocks();
  const work = async (i: number) => {
    for (let round = 0; round < 8; round++) {
      const keys = turns.map(keyOf);
      const given = i % 2 === 0 ? keys.reverse() : keys;
      const input = { project_id: P, keys: given, ...asked };
      const rows = await withUnit<({ agent_turn_id: string } | Fenced)[]>(kernel, (unit) =>
        round % 2 === 0 ? lockTurns(unit, input) : lockEnding(unit, input),
      );
      expect(rows.map((row) => !isFenced(row) && row.agent_turn_id)).toEqual(given.map((key) => key.agent_turn_id));
    }
  };
  await Promise.all([0, 1, 2, 3].map(work));
  expect(await deadlocks()).toBe(before);
}, 30_000);

const deadlocks = async () =>
  (
    await kernel.test.pool.query<{ n: number }>(
      "SELECT pg_stat_get_db_deadlocks(oid)::int AS n FROM pg_database WHERE datname = current_database()",
    )
  ).rows[0]?.n;
