// Each rule of alarms: a run that gives cause for it, and one that just does not.
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { importRun } from "@/server/interop/importers/import-run";
import { alarmsOf, words } from "@/server/testing/alarms";
import { callersOf, type Running, toNew } from "@/server/testing/callers";
import { forksOf } from "@/server/testing/forks";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { insertCards } from "../cardbox/insert-cards";
import { withUnit } from "../unit";
import { findPaidOften } from "./paid-often";

const P = "alarms";
const LOG = "museum-hours.json";
const of = (project_id = P) => ({
  ...callersOf(() => kernel, project_id),
  ...forksOf(() => kernel, project_id),
  ...alarmsOf(() => kernel, project_id),
});
const { run, running, accepted, deliver, fork, sleeping, start, end, found, cards, send, write } = of();
let kernel: TestKernel;

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [
    { name: "Plain", worker_target: "t1" },
    { name: "Narrow", worker_target: "t1", llm_config: { context_window: 1_000 } },
  ]);
});
afterAll(() => kernel.close());

const sql = (text: string, values: unknown[]) => kernel.test.pool.query(text, [P, ...values]);
const childOf = async (caller: Running, more: object = {}): Promise<Running> => {
  const made = await accepted(caller, toNew("Plain", more));
  return run(made.agent_id, made.agent_turn_id, made.turn_epoch ?? 0);
};
/** The output of a child of the caller, who may hand it on without having read it. */
const outputOf = async (caller: Running, texts: string[]): Promise<string> => {
  const child = await childOf(caller, { instruction: texts.join().slice(0, 50) });
  for (const text of texts) await write(child, text);
  await deliver(child, "ok");
  return child.turn.output_box_id ?? "";
};
const subjects = async (rule: string) => (await found(rule)).map(({ subject_id }) => subject_id);

test("pressure: a request above four fifths of its window", async () => {
  const [full, roomy] = [await running("Narrow"), await running("Narrow")];
  await send(full, [], { tokens: 801 });
  await send(roomy, [], { tokens: 800 });
  for (const turn of [full, roomy]) await deliver(turn, "done");
  expect(await found("pressure")).toMatchObject([
    {
      subject_kind: "turn",
      subject_id: full.agent_turn_id,
      figures: { tokens: 801, window_tokens: 1_000, threshold: 0.8 },
    },
  ]);
});

describe("late", () => {
  const took = (turn: Running, ms: number) =>
    sql(
      "UPDATE state.agent_turns SET started_at = coalesce(ended_at, now()) - make_interval(secs => $3::float8 / 1000) WHERE project_id = $1 AND agent_turn_id = $2",
      [turn.agent_turn_id, ms],
    );

  test("a branch above three times the median of its siblings, when it has ended", async () => {
    const boss = await sleeping("Plain", 4);
    const branches: Running[] = [];
    for (const task of boss.fork.tasks) branches.push(await start(task));
    for (const [i, branch] of branches.entries()) {
      await end(branch);
      await took(branch, [1_000, 1_000, 3_000, 3_001][i] ?? 0);
    }
    expect(await found("late")).toMatchObject([
      { subject_id: branches[3]?.agent_turn_id, figures: { ms: 3_001, median_ms: 1_000, threshold: 3 } },
    ]);
  });

  test("a branch that runs, while it runs; one of a moment is never late", async () => {
    const [slow, quick] = [await sleeping("Plain", 2), await sleeping("Plain", 2)];
    const late: Running[] = [];
    for (const { fork: made } of [slow, quick]) {
      const [ended, runs] = [await start(made.tasks[0]), await start(made.tasks[1])];
      await end(ended);
      await took(ended, made === slow.fork ? 1_000 : 1);
      await took(runs, made === slow.fork ? 60_000 : 500);
      late.push(runs);
    }
    const ids = await subjects("late");
    expect(ids).toContain(late[0]?.agent_turn_id);
    expect(ids).not.toContain(late[1]?.agent_turn_id);
  });
});

describe("loop", () => {
  test("three times the same words along one chain", async () => {
    const chain = [await running("Plain")];
    for (const instruction of ["again", "again", "other", "again", "again"])
      chain.push(await childOf(chain.at(-1) as Running, { instruction }));
    for (const turn of chain.toReversed()) await deliver(turn, "done");
    expect(await found("loop")).toMatchObject([
      { subject_id: chain[4]?.agent_turn_id, figures: { times: 3, along: "chain", threshold: 3 } },
    ]);
  });

  test("three times to the same agent in one run", async () => {
    const boss = await running("Plain");
    const first = await childOf(boss, { instruction: "once more" });
    await deliver(first, "done");
    const more = async () => {
      const args = { target_strategy: "reuse", target_ref: first.agent_id, instruction: "once more" };
      const made = await accepted(boss, args);
      await deliver(await run(made.agent_id, made.agent_turn_id, made.turn_epoch ?? 0), "done");
      return made.agent_turn_id;
    };
    await more();
    expect((await found("loop")).filter(({ figures }) => figures.along === "agent")).toEqual([]);
    const third = await more();
    await more();
    expect((await found("loop")).filter(({ figures }) => figures.along === "agent")).toMatchObject([
      { subject_id: third },
    ]);
  });
});

describe("left_behind", () => {
  test("a deliverable that another turn was sent and its caller never, once the run is quiet", async () => {
    const [reader, ignorer] = [await running("Plain"), await running("Plain")];
    for (const boss of [reader, ignorer]) await send(boss, []);
    const [read, ignored, other] = [await childOf(reader), await childOf(ignorer), await childOf(ignorer)];
    const idsOf = (delivered: object) =>
      "deliverable_card_id" in delivered ? [String(delivered.deliverable_card_id)] : [];
    await send(reader, idsOf(await deliver(read, "it is 42")));
    await send(other, idsOf(await deliver(ignored, "for the other one")));
    for (const boss of [reader, ignorer]) await deliver(boss, "done");
    // The other one still works, and could hand on what it read.
    expect(await subjects("left_behind")).not.toContain(ignored.agent_turn_id);
    await deliver(other, "nobody reads this");
    const ids = await subjects("left_behind");
    expect(ids).toContain(ignored.agent_turn_id);
    expect(ids).not.toContain(read.agent_turn_id);
  });

  test("what nobody of the run read is one alarm, whichever ends first", async () => {
    const [ignorer, early] = [await running("Plain"), await running("Plain")];
    for (const boss of [ignorer, early]) await send(boss, []);
    const [ignored, late] = [await childOf(ignorer), await childOf(early)];
    await deliver(ignored, "nobody reads this");
    for (const boss of [ignorer, early]) await deliver(boss, "done");
    expect(await subjects("no_reader")).toContain(ignored.agent_turn_id);
    await deliver(late, "too late");
    expect(await subjects("no_reader")).toContain(late.agent_turn_id);
    // Looked at again, by another turn of the run, it is still the one.
    await sql("INSERT INTO state.alarm_due (project_id, subject_kind, subject_id) VALUES ($1, 'turn', $2)", [
      late.agent_turn_id,
    ]);
    const ids = await subjects("left_behind");
    for (const { agent_turn_id } of [ignored, late]) expect(ids).not.toContain(agent_turn_id);
  });

  test("the join tells of its branches; a caller without stored requests is not judged", async () => {
    const [joins, leaves, unknown] = [
      await sleeping("Plain", 1),
      await sleeping("Plain", 1),
      await sleeping("Plain", 1),
    ];
    const branches: string[] = [];
    for (const boss of [joins, leaves, unknown]) {
      const branch = await start(boss.fork.tasks[0]);
      branches.push(branch.agent_turn_id);
      await end(branch);
      const resumed = await of().resumeBy(boss, boss.fork.tool_call_id);
      const again = { ...boss, turn_epoch: "turn_epoch" in resumed ? Number(resumed.turn_epoch) : boss.turn_epoch };
      const result = "results" in resumed ? resumed.results[0]?.card.card_id : undefined;
      if (boss === joins) await send(again, [result ?? ""]);
      if (boss === leaves) await send(again, []);
      await deliver(again, "done");
    }
    const ids = await subjects("left_behind");
    expect(branches.map((id) => ids.includes(id))).toEqual([false, true, false]);
  });
});

test("no_reader: nobody of the run was sent what a delegation delivered, once the run is quiet", async () => {
  const boss = await running("Plain");
  await send(boss, []);
  const [unread, read] = [await childOf(boss), await childOf(boss)];
  await deliver(unread, "for nobody");
  const delivered = await deliver(read, "for another");
  const other = await childOf(boss);
  await send(other, "deliverable_card_id" in delivered ? [delivered.deliverable_card_id] : []);
  const last = await deliver(other, "for the boss");
  await send(boss, "deliverable_card_id" in last ? [last.deliverable_card_id] : []);
  expect(await subjects("no_reader")).not.toContain(unread.agent_turn_id);
  await deliver(boss, "done");
  const ids = await subjects("no_reader");
  expect([unread, read, other, boss].map(({ agent_turn_id }) => ids.includes(agent_turn_id))).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test("paid_often: a card that was sent 21 times, for more than 20,000 tokens together", async () => {
  const [often, seldom, light] = await cards([words(1_000), words(1_500), words(100)]);
  // What the branches of a fork share is sent by each of them.
  const [told] = await withUnit(kernel, (unit) =>
    insertCards(unit, {
      project_id: P,
      cards: [{ type: "meta.delegation_context", role: "system", author_id: "switchyard", content: words(1_200) }],
    }),
  );
  const turn = await running("Plain");
  for (let n = 0; n < 21; n++)
    await send(
      turn,
      [often, light, told?.card_id, n < 20 ? seldom : undefined].flatMap((id) => id ?? []),
    );
  await deliver(turn, "done");
  expect(await found("paid_often")).toMatchObject([
    { subject_kind: "card", subject_id: often, agent_turn_id: turn.agent_turn_id, figures: { times: 21 } },
  ]);
  expect((await found("paid_often"))[0]?.figures.tokens).toBeGreaterThan(20_000);
});

test("paid_often: what a turn sent is counted together, and not card by card", async () => {
  const ids = await cards(Array.from({ length: 500 }, (_, n) => `line ${n}`));
  const turn = await running("Plain");
  await send(turn, ids);
  await deliver(turn, "done");
  const swept = {
    project_id: P,
    agent_turn_ids: [turn.agent_turn_id],
    batch_ids: [],
    limits: kernel.tunables.alarmLimits,
  };
  const SCANS = `SELECT sum(coalesce(idx_scan, 0) + seq_scan)::int AS n FROM pg_stat_xact_user_tables
    WHERE relname = ANY ('{box_chunks,card_boxes}')`;
  const scans = await withUnit(kernel, async (unit) => {
    // What this connection did before is counted as well.
    const before = await unit.query<{ n: number }>("scans_lab", SCANS);
    await findPaidOften(unit, swept);
    return ((await unit.query<{ n: number }>("scans_lab", SCANS))[0]?.n ?? 0) - (before[0]?.n ?? 0);
  });
  // A few for each of its eight chunks; card by card they were thousands.
  expect(scans).toBeLessThanOrEqual(200);
});

test("sibling_lacks: a branch without what both others were given", async () => {
  const [common, note] = [words(300), words(150, "note")];
  const boss = await running("Plain");
  const task = async (instruction: string, texts: string[]) =>
    toNew("Plain", { instruction, context_box_id: await outputOf(boss, texts) });
  const tasks = [
    await task(words(250, "first"), [common, note]),
    await task("second", [common, note]),
    await task("third", [note]),
    await task("fourth", [common]),
  ];
  const made = await fork(boss, { tasks });
  for (const one of made.tasks) await end(await start(one));
  expect(await found("sibling_lacks")).toMatchObject([
    { subject_id: made.tasks[2]?.agent_turn_id, figures: { cards: 1, siblings: 3, threshold: 200 } },
  ]);
});

test("sibling_lacks: what a bare majority holds, however light everything else is; not what half of them hold", async () => {
  const boss = await running("Plain");
  const forked = async (name: string, holders: number) => {
    const context_box_id = await outputOf(boss, [words(220, name)]);
    const task = (i: number) => toNew("Plain", { instruction: `${name} ${i}`, ...(i < holders && { context_box_id }) });
    const made = await fork(boss, { tasks: Array.from({ length: 7 }, (_, i) => task(i)) });
    for (const one of made.tasks) await end(await start(one));
    return made.tasks.map((one) => one.agent_turn_id);
  };
  const [most, half] = [await forked("most", 4), await forked("half", 3)];
  const lacking = (await found("sibling_lacks")).map(({ subject_id }) => subject_id);
  expect(lacking.filter((id) => most.includes(id)).toSorted()).toEqual(most.slice(4).toSorted());
  expect(lacking.filter((id) => half.includes(id))).toEqual([]);
});

test("sibling_lacks: behind what all were lent by one box, and not what is in that box", async () => {
  const boss = await running("Plain");
  const context_box_id = await outputOf(boss, ["a", "b"]);
  const texts = [...Array.from({ length: 3 }, () => words(300, "asked")), "another"];
  const tasks = texts.map((instruction) => toNew("Plain", { instruction, context_box_id }));
  const made = await fork(boss, { tasks });
  for (const one of made.tasks) await end(await start(one));
  const [given, without] = [made.tasks[0]?.agent_turn_id, made.tasks[3]?.agent_turn_id];
  const { rows } = await sql(
    `SELECT DISTINCT b.base_box FROM state.agent_turns t JOIN card_boxes b ON b.tenant_id = t.project_id AND b.box_id = t.context_box_id
     WHERE t.project_id = $1 AND t.batch_id = $2`,
    [made.batch_id],
  );
  expect(rows).toEqual([{ base_box: context_box_id }]);
  const lacks = async () => (await found("sibling_lacks")).filter(({ subject_id }) => subject_id === without);
  expect(await lacks()).toMatchObject([{ figures: { cards: 1, siblings: 3 } }]);
  // The same words stand in the box that all of them were lent.
  await sql(
    `WITH copy AS (
       INSERT INTO cards (tenant_id, card_id, content, metadata, content_hash, token_count)
       SELECT tenant_id, 'copy_of_the_task', content, metadata, content_hash, token_count FROM cards
       WHERE tenant_id = $1 AND card_id = (SELECT instruction_card_id FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2)
     ), forgotten AS (DELETE FROM state.alarms WHERE project_id = $1 AND subject_id = $3
     ), due AS (INSERT INTO state.alarm_due (project_id, subject_kind, subject_id) VALUES ($1, 'batch', $4))
     UPDATE card_boxes SET tail = ARRAY['copy_of_the_task'] || tail[2:] WHERE tenant_id = $1 AND box_id = $5`,
    [given, without, made.batch_id, context_box_id],
  );
  expect(await lacks()).toEqual([]);
});

test("passed_unseen: most of what was handed over, and more than a thousand tokens, its caller never had", async () => {
  const boss = await running("Plain");
  const boxes = [await outputOf(boss, [words(1_500)]), await outputOf(boss, [words(900)])];
  const children: Running[] = [];
  for (const id of boxes) children.push(await childOf(boss, { context_box_id: id }));
  const heavy = await childOf(boss, { instruction: words(2_000, "task"), context_box_id: boxes[0] });
  for (const child of [...children, heavy]) await deliver(child, "done");
  expect(await found("passed_unseen")).toMatchObject([
    { subject_id: children[0]?.agent_turn_id, figures: { cards: 2, threshold: 0.5, threshold_tokens: 1_000 } },
  ]);
});

describe("off_recipe", () => {
  test("an inherited card that the receipt does not name", async () => {
    const boss = await running("Plain");
    const [right, wrong] = [
      await childOf(boss, { context_box_id: await outputOf(boss, ["a"]) }),
      await childOf(boss, { context_box_id: await outputOf(boss, ["b"]) }),
    ];
    const context = wrong.turn.context_box_id;
    await sql(
      "UPDATE card_boxes SET receipt = jsonb_set(receipt, '{lines}', '[]') WHERE tenant_id = $1 AND box_id = $2",
      [context],
    );
    for (const child of [right, wrong]) await deliver(child, "done");
    expect(await found("off_recipe")).toMatchObject([
      {
        subject_kind: "box",
        subject_id: context,
        agent_turn_id: wrong.agent_turn_id,
        figures: { cards: 2, has_receipt: "yes" },
      },
    ]);
  });

  test("an import without receipts gives one alarm for the box that its turns inherited from", async () => {
    const project_id = "imported";
    await seedProject(kernel, project_id);
    const bytes = fs.readFileSync(path.join(import.meta.dirname, "../../../examples/logs", LOG));
    await importRun(kernel, { project_id, format: "who-and-when", bytes, name: LOG });
    const alarms = await of(project_id).found("off_recipe");
    expect(alarms).toMatchObject([{ subject_kind: "box", figures: { has_receipt: "no" } }]);
    const { rows } = await kernel.test.pool.query("SELECT 1 FROM state.alarm_due WHERE project_id = $1", [project_id]);
    expect(rows).toEqual([]);
  });
});

describe("prefix_broken", () => {
  test("a new beginning though nothing was taken away", async () => {
    const [long] = await cards([words(1_200)]);
    const ids = [long ?? ""];
    const [broken, steady, shorter] = [await running("Plain"), await running("Plain"), await running("Plain")];
    await send(broken, ids, { system: "You work on Monday." });
    const step_id = await send(broken, ids, { system: "On Tuesday you rest." });
    for (const tokens of [1, 2]) await send(steady, ids, { tokens });
    await send(shorter, ids, { system: "You work on Monday." });
    await send(shorter, [], { system: "On Tuesday you rest." });
    for (const turn of [broken, steady, shorter]) await deliver(turn, "done");
    expect(await found("prefix_broken")).toMatchObject([
      { subject_id: broken.agent_turn_id, figures: { step_id, times: 1, threshold: 0.5 } },
    ]);
  });

  test("a long system prompt that changes at its end is shared up to there", async () => {
    const turn = await running("Plain");
    for (const day of ["Monday", "Tuesday"]) await send(turn, [], { system: `${words(2_000)} ${day}` });
    await deliver(turn, "done");
    expect(await subjects("prefix_broken")).not.toContain(turn.agent_turn_id);
  });
});

test("secret: a card that was sent, by kinds; one that was only held is none", async () => {
  const token = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;
  const turn = await running("Plain");
  const [told, kept] = [await write(turn, `The token is ${token}`), await write(turn, `Another is ${token}`)];
  await send(turn, [told]);
  await deliver(turn, "done");
  const alarms = await found("secret");
  expect(alarms).toMatchObject([{ subject_kind: "card", subject_id: told, figures: { github_token: 1 } }]);
  expect(JSON.stringify(alarms)).not.toContain(token);
  expect(alarms.map(({ subject_id }) => subject_id)).not.toContain(kept);
});
