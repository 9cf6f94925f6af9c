// The sweep as a whole: nothing is lost when it dies in the middle, nothing is written twice, no project learns of another's,
// and its statements do not grow with what it sweeps.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { alarmsOf } from "@/server/testing/alarms";
import { callersOf, type Running, toNew } from "@/server/testing/callers";
import { forksOf } from "@/server/testing/forks";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { countStatements } from "@/server/testing/statements";
import { framesOf } from "@/server/testing/turns";
import type { Kernel } from "../kernel";
import { listAlarms } from "../read-models/list-alarms";
import { readSnapshot } from "../read-models/read-snapshot";
import { sweepAlarms } from "../reclaim/sweep-alarms";
import { tunables } from "../tunables";
import { muteAlarm } from "./mute-alarm";
import { setAlarmLimits } from "./set-limits";
import { unmuteAlarm } from "./unmute-alarm";

let kernel: TestKernel;
let P = "";
const of = () => ({ ...callersOf(() => kernel, P), ...forksOf(() => kernel, P), ...alarmsOf(() => kernel, P) });
const sql = async (text: string, values: unknown[] = []) => (await kernel.test.pool.query(text, values)).rows;
const list = (query: object = {}, project_id = P) => listAlarms(kernel, { project_id, limit: 50, ...query });
const alarmRows = () => sql("SELECT * FROM state.alarms ORDER BY project_id, rule, subject_id");
const due = () => sql("SELECT subject_id FROM state.alarm_due");

beforeAll(async () => {
  kernel = await openTestKernel({ tunables: { ...tunables, alarmTakenMs: 0 } });
});
beforeEach(async (test) => {
  P = `sweep-${test.task.id.replace(/\W/g, "-")}`;
  await seedProject(kernel, P, [{ name: "Narrow", worker_target: "t1", llm_config: { context_window: 1_000 } }]);
});
afterAll(() => kernel.close());

const fullTurn = async (): Promise<Running> => {
  const turn = await of().running("Narrow");
  await of().send(turn, [], { tokens: 900 });
  await of().deliver(turn, "done");
  return turn;
};

describe("a sweep that dies in the middle", () => {
  test.each(["alarms-found", "before-commit"])("at %s: the next one finds the same", async (point) => {
    const turn = await fullTurn();
    const dying: Kernel = {
      ...kernel,
      probe: (at, statements) => {
        if (at === point && (at === "alarms-found" || statements.includes("alarms_write"))) throw new Error("killed");
      },
    };
    await sweepAlarms(dying).catch(() => undefined);
    await sql("DELETE FROM state.watchdog_failures");
    expect(await alarmRows()).toEqual(expect.not.arrayContaining([expect.objectContaining({ project_id: P })]));
    expect(await due()).toContainEqual({ subject_id: turn.agent_turn_id });
    expect(await of().found("pressure")).toMatchObject([{ subject_id: turn.agent_turn_id }]);
    expect(await due()).toEqual([]);
  });

  test("after its commit: what is found again changes nothing, and is told once", async () => {
    const turn = await fullTurn();
    expect(await sweepAlarms(kernel)).toBe(1);
    const before = await alarmRows();
    await sql("INSERT INTO state.alarm_due (project_id, subject_kind, subject_id) VALUES ($1, 'turn', $2)", [
      P,
      turn.agent_turn_id,
    ]);
    expect(await sweepAlarms(kernel)).toBe(0);
    expect(await alarmRows()).toEqual(before);
    expect(await framesOf(kernel, P, "alarm")).toMatchObject([{ rule: "pressure", subject_id: turn.agent_turn_id }]);
  });
});

test("what another process took is left to it until its time is over", async () => {
  await fullTurn();
  const patient = { ...kernel, tunables: { ...tunables, alarmTakenMs: 60_000 } };
  await sql("UPDATE state.alarm_due SET taken_until = now() + interval '1 minute'");
  expect(await sweepAlarms(patient)).toBe(0);
  await sql("UPDATE state.alarm_due SET taken_until = now() - interval '1 s'");
  expect(await sweepAlarms(patient)).toBe(1);
});

test("one turn that cannot be looked at is left aside, and costs its neighbours nothing", async () => {
  const turns = [await fullTurn(), await fullTurn(), await fullTurn()];
  const bad = turns[1]?.agent_turn_id ?? "";
  await sql(`ALTER TABLE state.alarms ADD CONSTRAINT refused CHECK (subject_id <> '${bad}')`);
  await sweepAlarms(kernel);
  expect((await list()).items.map(({ subject_id }) => subject_id).sort()).toEqual(
    turns
      .map(({ agent_turn_id }) => agent_turn_id)
      .filter((id) => id !== bad)
      .sort(),
  );
  expect(await sql("SELECT rule, row_key, attempts FROM state.watchdog_failures")).toEqual([
    { rule: "sweep-alarms", row_key: bad, attempts: 1 },
  ]);
  await sql("ALTER TABLE state.alarms DROP CONSTRAINT refused");
  await sql("UPDATE state.watchdog_failures SET next_try_at = now()");
  expect(await sweepAlarms(kernel)).toBe(1);
  expect(await sql("SELECT 1 FROM state.watchdog_failures")).toEqual([]);
});

test("as many statements for one turn as for twenty, and for a batch of sixteen", async () => {
  const count = () => countStatements(kernel, sweepAlarms);
  // Its words are known afterwards, and not read again.
  await fullTurn();
  await sweepAlarms(kernel);
  await fullTurn();
  const one = await count();
  for (let n = 0; n < 20; n++) await fullTurn();
  expect(await count()).toBe(one);
  const boss = await of().sleeping("Narrow", 16);
  for (const task of boss.fork.tasks) {
    const branch = await of().start(task);
    await of().send(branch, [], { tokens: 900 });
    await of().end(branch);
  }
  expect(await count()).toBeLessThanOrEqual(one);
  // Late branches and what is due; 10 reads of the rules, each with its BEGIN and COMMIT; BEGIN, write, frames, COMMIT; and one that
  // forgets failures of rows that are gone.
  expect(one).toBe(37);
  // Two more reads where a request follows another.
  const again = async () => {
    const turn = await of().running("Narrow");
    for (const _ of [1, 2]) await of().send(turn, [], { tokens: 900 });
    await of().deliver(turn, "done");
  };
  await again();
  expect(await count()).toBe(one + 6);
  const inherit = async () => {
    const caller = await of().running("Narrow");
    await of().write(caller, "known before");
    const made = await of().accepted(caller, toNew("Narrow", { context_box_id: caller.turn.output_box_id }));
    const callee = await of().run(made.agent_id, made.agent_turn_id, made.turn_epoch ?? 0);
    for (const turn of [callee, caller]) await of().deliver(turn, "done");
  };
  await inherit();
  await sweepAlarms(kernel);
  await inherit();
  // Five more reads (15 statements with BEGIN and COMMIT), less one: no frame of an alarm is written.
  const inherited = await count();
  expect(inherited).toBe(one + 14);
  for (let n = 0; n < 5; n++) await inherit();
  expect(await count()).toBe(inherited);
});

test("a project with many due turns does not hold back the others", { timeout: 60_000 }, async () => {
  const [many, few] = [`${P}-a`, `${P}-b`];
  for (const project_id of [many, few])
    await seedProject(kernel, project_id, [{ name: "Narrow", worker_target: "t1" }]);
  const ended = (project_id: string, count: number) =>
    sql(
      `INSERT INTO state.alarm_due (project_id, subject_kind, subject_id)
       SELECT $1, 'turn', 'turn_' || n FROM generate_series(1, $2::int) n`,
      [project_id, count],
    );
  await ended(many, 500);
  await ended(few, 1);
  const left = async (project_id: string) =>
    (await sql("SELECT 1 FROM state.alarm_due WHERE project_id = $1", [project_id])).length;
  const brief = { ...kernel, tunables: { ...kernel.tunables, alarmSetMax: 200, alarmTickMs: 1 } };
  while ((await left(many)) === 500) await sweepAlarms(brief);
  expect([await left(many), await left(few)]).toEqual([300, 1]);
  await sweepAlarms(brief);
  expect(await left(many)).toBeGreaterThan(0);
  expect(await left(few)).toBe(0);
  while ((await due()).length > 0) await sweepAlarms(kernel);
});

test("batches are looked at together as far as the contexts of their branches allow", async () => {
  const setsOf = async (alarmSetCardsMax: number): Promise<number> => {
    for (let n = 0; n < 2; n++) {
      const boss = await of().sleeping("Narrow", 16);
      for (const task of boss.fork.tasks) await of().end(await of().start(task));
    }
    await sql("DELETE FROM state.alarm_due WHERE subject_kind <> 'batch'");
    let sets = 0;
    const probe = async (at: string) => {
      if (at === "alarms-found") sets++;
    };
    await sweepAlarms({ ...kernel, probe, tunables: { ...kernel.tunables, alarmSetCardsMax } });
    return sets;
  };
  expect(await setsOf(1_000)).toBe(1);
  // Each of the branches was given one card at least.
  expect(await setsOf(20)).toBe(2);
});

describe("the list", () => {
  test("newest first by pages, with counts; other projects' alarms look missing", async () => {
    const turns = [await fullTurn(), await fullTurn(), await fullTurn()];
    await sweepAlarms(kernel);
    const first = await list({ limit: 2 });
    expect(first.counts).toEqual([{ rule: "pressure", active: 3, muted: 0 }]);
    const second = await list({ limit: 2, cursor: first.next_cursor });
    expect(second.next_cursor).toBeUndefined();
    expect([...first.items, ...second.items].map(({ subject_id }) => subject_id).sort()).toEqual(
      turns.map(({ agent_turn_id }) => agent_turn_id).sort(),
    );
    expect(first.items[0]).toMatchObject({ turn: { profile_name: "Narrow" }, run_number: expect.any(Number) });
    const { agent_turn_id, turn } = turns[0] as Running;
    expect((await list({ subject_id: agent_turn_id })).items).toHaveLength(1);
    expect((await list({ root_turn_id: turn.root_turn_id })).items).toHaveLength(1);
    expect((await list({ rule: "loop" })).items).toEqual([]);

    await seedProject(kernel, `${P}-neighbour`);
    const project_id = `${P}-neighbour`;
    expect(await list({}, project_id)).toMatchObject({ items: [], counts: [] });
    const key = { project_id, alarm_id: first.items[0]?.alarm_id ?? "" };
    await expect(list({ cursor: first.next_cursor }, project_id)).rejects.toMatchObject({ code: "bad_request" });
    const refused = { code: "not_found", message: expect.stringContaining("list the project's alarms") };
    await expect(muteAlarm(kernel, { ...key, scope: "this", person: "ann", reason: "x" })).rejects.toMatchObject(
      refused,
    );
    await expect(unmuteAlarm(kernel, { ...key, scope: "rule" })).rejects.toMatchObject(refused);
    expect(await sql("SELECT 1 FROM state.alarm_mutes WHERE project_id = $1", [project_id])).toEqual([]);
  });

  test("a mute of one, and of a rule: what is muted stays in the list and is not counted", async () => {
    await fullTurn();
    await fullTurn();
    await sweepAlarms(kernel);
    const { items } = await list();
    const [a, b] = items.map(({ alarm_id }) => ({ project_id: P, alarm_id }));
    if (!a || !b) throw new Error("two alarms were expected");
    const muted = await muteAlarm(kernel, { ...a, scope: "this", person: "ann", reason: "A large model follows" });
    expect(muted).toMatchObject({ rev: 2, muted: { scope: "this", person: "ann", reason: "A large model follows" } });
    expect((await list()).counts).toEqual([{ rule: "pressure", active: 1, muted: 1 }]);
    expect((await list({ muted: "true" })).items.map(({ alarm_id }) => alarm_id)).toEqual([a.alarm_id]);
    expect((await list({ muted: "false" })).items.map(({ alarm_id }) => alarm_id)).toEqual([b.alarm_id]);

    await muteAlarm(kernel, { ...b, scope: "rule", person: "ben", reason: "Not now" });
    expect((await list()).counts).toEqual([{ rule: "pressure", active: 0, muted: 2 }]);
    await expect(unmuteAlarm(kernel, { ...b, scope: "this" })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining('send scope "rule"'),
    });
    expect(await unmuteAlarm(kernel, { ...b, scope: "rule" })).not.toHaveProperty("muted");
    expect(await unmuteAlarm(kernel, { ...b, scope: "rule" })).not.toHaveProperty("muted");
    expect(await unmuteAlarm(kernel, { ...a, scope: "this" })).not.toHaveProperty("muted");
    expect((await list()).counts).toEqual([{ rule: "pressure", active: 2, muted: 0 }]);
    expect((await framesOf(kernel, P, "alarm_rule")).map(({ id, rev, is_muted }) => [id, rev, is_muted])).toEqual([
      ["pressure", 1, true],
      ["pressure", 2, false],
    ]);
    expect(
      (await framesOf(kernel, P, "alarm"))
        .filter(({ id }) => id === a.alarm_id)
        .map(({ rev, muted: m }) => [rev, m?.scope]),
    ).toEqual([
      [1, undefined],
      [2, "this"],
      [3, undefined],
    ]);
  });
});

test("thresholds of a project hold for what ends from then on; null goes back to the program's", async () => {
  const { limits, own } = await setAlarmLimits(kernel, { project_id: P, pressure_share: 0.95, loop_times: 5 });
  expect([limits.pressure_share, limits.late_times, own]).toEqual([0.95, 3, { pressure_share: 0.95, loop_times: 5 }]);
  await fullTurn();
  expect(await of().found("pressure")).toEqual([]);
  const back = await setAlarmLimits(kernel, { project_id: P, pressure_share: null });
  expect([back.own, back.limits.pressure_share, back.defaults.loop_times]).toEqual([{ loop_times: 5 }, 0.8, 3]);
  await fullTurn();
  expect(await of().found("pressure")).toHaveLength(1);
  await expect(setAlarmLimits(kernel, { project_id: "nowhere" })).rejects.toMatchObject({ code: "not_found" });
});

test("the yard's picture begins with the alarms of its run, muted or not, and the rules that are muted", async () => {
  const turn = await fullTurn();
  await fullTurn();
  await sweepAlarms(kernel);
  const [alarm] = (await list({ subject_id: turn.agent_turn_id })).items;
  await muteAlarm(kernel, {
    project_id: P,
    alarm_id: alarm?.alarm_id ?? "",
    scope: "rule",
    person: "ann",
    reason: "x",
  });
  const { frames } = await readSnapshot(kernel, { project_id: P, root_turn_id: turn.turn.root_turn_id });
  expect(frames.filter(({ kind }) => kind.startsWith("alarm"))).toMatchObject([
    { kind: "alarm", subject_id: turn.agent_turn_id },
    { kind: "alarm_rule", id: "pressure", is_muted: true, muted: { person: "ann" } },
  ]);
});
