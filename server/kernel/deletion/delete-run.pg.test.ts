// A run that is deleted is gone everywhere at once, takes what only it has, and leaves what others hold as it is.
import fs from "node:fs";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { importRun } from "@/server/interop/importers/import-run";
import { beginDeleting, untilDeleted } from "@/server/testing/deletions";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";
import { countUnits } from "@/server/testing/statements";
import { framesOf, launchTurn, outputOf, scripted, startTestWorker, turnOf, untilTurn } from "@/server/testing/turns";
import { forkBox } from "../cardbox/fork-box";
import { forkTurn } from "../launch/fork-turn";
import { launch } from "../launch/launch";
import { readRunDeletion } from "../roster/no-run";
import { withUnit } from "../unit";
import { deleteRun } from "./delete-run";

let kernel: TestKernel;
const P = "deleting";
const { ok, refused } = restOf(() => kernel);
const at = (path: string) => `/projects/${P}${path}`;
const task = (instruction: string) => ({ target_strategy: "new", target_ref: "Echo", instruction });

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [
    scripted("Echo", [{ deliver: "done: {instruction}" }]),
    scripted("Slow", [{ wait_ms: 60_000 }, { deliver: "late" }]),
    scripted(
      "Boss",
      [{ call: "fork_join", arguments: { tasks: [task("a"), task("b"), task("c")] } as never }, { deliver: "joined" }],
      { allowed_tools: ["fork_join"], delegation_policy: { target_tags: [] } },
    ),
    scripted(
      "Wide",
      [
        { call: "fork_join", arguments: { tasks: Array.from({ length: 62 }, (_, i) => task(`part ${i}`)) } as never },
        { deliver: "joined" },
      ],
      { allowed_tools: ["fork_join"], delegation_policy: { target_tags: [] } },
    ),
  ]);
  await seedProject(kernel, "elsewhere");
});
afterAll(() => kernel.close());

/** BEGIN, two locks, and the end of a unit that only looked whether it may go on. */
const WAITING = 5;
const sql = async (text: string, values: unknown[]) => (await kernel.db.pool.query(text, values)).rows;
const done = async (run: { root_turn_id: string }, more = {}) =>
  deleteRun(kernel, { project_id: P, root_turn_id: run.root_turn_id, by: "human_ann", reason: "", ...more });
const untilDone = (deletion_id: string) => untilDeleted(kernel, { project_id: P, deletion_id });

async function ran(target = "Echo", instruction = "the word is marzipan") {
  const { agent_turn_id } = await launchTurn(kernel, P, { target, instruction });
  const worker = await startTestWorker(kernel);
  onTestFinished(() => worker.stop());
  const turn = await untilTurn(kernel, P, agent_turn_id);
  await worker.stop();
  return turn;
}

/** All tables that hold a word, as text. */
async function tablesWith(word: string): Promise<string[]> {
  const tables = Object.keys(await countRows(kernel));
  const found = await Promise.all(
    tables.map(async (name) => {
      const rows = await sql(`SELECT 1 FROM ${name} t WHERE t::text ILIKE '%' || $1 || '%' LIMIT 1`, [word]);
      return rows.length > 0 ? name : [];
    }),
  );
  return found.flat();
}

test("a run with a fork goes whole: what is left is the record, the people, and what was there before", async () => {
  const before = await countRows(kernel);
  const turn = await ran("Boss", "speak of quinces");
  expect(await tablesWith("quinces")).not.toEqual([]);
  const record = await done(turn, { reason: "too old" });
  const ended = await untilDone(record.deletion_id);
  expect(ended).toMatchObject({
    kind: "run",
    subject_id: turn.root_turn_id,
    reason: "too old",
    deleted_by: "human_ann",
  });
  expect(ended.counts).toMatchObject({ turns: 5, agents: 4, boxes: expect.any(Number), cards: expect.any(Number) });
  const after = await countRows(kernel);
  // The sweep drops in its own time what it was told of turns that are gone.
  const left = Object.entries(after).filter(([name, n]) => n !== before[name] && name !== "state.alarm_due");
  // The person, and the profile that people have, stay.
  expect(Object.fromEntries(left)).toEqual({
    "public.card_search": expect.any(Number),
    "public.card_boxes": expect.any(Number),
    "public.cards": expect.any(Number),
    "resource.project_agents": (before["resource.project_agents"] ?? 0) + 1,
    "state.deletions": (before["state.deletions"] ?? 0) + 1,
    "state.journal_packs": expect.any(Number),
    ...("resource.profiles" in Object.fromEntries(left) && { "resource.profiles": expect.any(Number) }),
  });
  // Frames of the journal go when it is cut.
  expect(await tablesWith("quinces")).toEqual(["state.journal_packs"]);
  const frames = await framesOf(kernel, P, "run");
  expect(frames.filter(({ id }) => id === turn.root_turn_id).at(-1)).toMatchObject({ is_deleted: true, title: "" });
});

test("from the first moment it is in no list and nothing can be added to it, handed over from it or forked", async () => {
  const turn = await ran();
  const { root_turn_id, agent_turn_id, context_box_id } = turn;
  const holds = await ok("GET", at(`/runs/${root_turn_id}/holds`));
  expect(holds).toMatchObject({ live_turns: 0, turns: { count: 2 }, shared: [] });
  const deletion_id = await beginDeleting(kernel, { project_id: P, root_turn_id });
  const runs = await ok("GET", at("/runs"));
  expect(runs.items.map((run: { root_turn_id: string }) => run.root_turn_id)).not.toContain(root_turn_id);
  const more = { project_id: P, user: "ann", tool: "delegate_async", into: root_turn_id, args: task("more") } as const;
  await expect(launch(kernel, more)).rejects.toMatchObject({ code: "not_found" });
  expect(await refused("POST", at(`/turns/${agent_turn_id}:fork`), { body: { user: "ann" } })).toMatchObject({
    status: 404,
  });
  expect(await refused("POST", at(`/turns/${agent_turn_id}:rerun`), { body: { user: "ann" } })).toMatchObject({
    status: 404,
  });
  for (const path of ["holds", "transcript", "transcript-head", "bundle?redact=1", "report.html?redact=1"])
    expect(await refused("GET", at(`/runs/${root_turn_id}/${path}`)), path).toMatchObject({ status: 404 });
  const ended = await untilDone(deletion_id);
  expect(ended.counts.turns).toBe(2);
  for (const path of [`/turns/${agent_turn_id}`, `/boxes/${context_box_id}`, `/boxes/${context_box_id}/cards`])
    expect(await refused("GET", at(path)), path).toMatchObject({ status: 404 });
  expect((await ok("GET", at("/cards?q=marzipan"))).items).toEqual([]);
});

test("a reason that the database cannot keep is refused by its name, and nothing goes", async () => {
  const turn = await ran();
  for (const reason of ["a\u0000b", "half \ud83d"])
    await expect(done(turn, { reason })).rejects.toMatchObject({ code: "bad_request", message: /^reason/ });
  await ok("GET", at(`/runs/${turn.root_turn_id}/holds`));
});

test("whoever asks for it later is told that it was deleted, by whom and why", async () => {
  const turn = await ran();
  await done(turn, { reason: "of an old tariff" });
  for (const path of ["/transcript", "/transcript-head", "/as-of?at=2100-01-01T00:00:00Z"])
    expect(await refused("GET", at(`/runs/${turn.root_turn_id}${path}`)), path).toMatchObject({
      status: 404,
      error_message: expect.stringMatching(/^run \d+ was deleted by human_ann on \d{4}-\d\d-\d\d: of an old tariff$/),
    });
  expect(await readRunDeletion(kernel, { project_id: P, root_turn_id: turn.root_turn_id })).toMatchObject({
    reason: "of an old tariff",
  });
  expect(await readRunDeletion(kernel, { project_id: "elsewhere", root_turn_id: turn.root_turn_id })).toBeNull();
});

test("deleting twice, at once or later, is one deletion; a live run, another project's and none are refused", async () => {
  const turn = await ran();
  const both = await Promise.all([done(turn), done(turn)]);
  expect(new Set(both.map((one) => one.deletion_id)).size).toBe(1);
  await untilDone(both[0].deletion_id);
  expect((await done(turn)).deletion_id).toBe(both[0].deletion_id);
  const live = await launchTurn(kernel, P, { target: "Slow" });
  const { root_turn_id } = await turnOf(kernel, P, live.agent_turn_id);
  const body = { user: "ann" };
  const refusal = await refused("DELETE", at(`/runs/${root_turn_id}`), { body });
  expect(refusal).toMatchObject({ status: 409, error_code: "conflict" });
  expect(refusal.error_message).toContain("stop it first");
  expect(await refused("DELETE", `/projects/elsewhere/runs/${root_turn_id}`, { body })).toMatchObject({ status: 404 });
  expect(await refused("DELETE", at("/runs/turn_nothing"), { body })).toMatchObject({ status: 404 });
  await ok("POST", at(`/turns/${root_turn_id}:stop`), { user: "ann", scope: "subtree" });
});

test("a fork keeps its cards whole, and what a person gathered stays too", async () => {
  const turn = await ran("Echo", "the word is nougat");
  const fork = await forkTurn(kernel, {
    project_id: P,
    agent_turn_id: turn.agent_turn_id,
    user: "ann",
    replace: [],
    drop: [],
  } as Parameters<typeof forkTurn>[1]);
  const output = await outputOf(kernel, turn);
  const gathered = await ok("POST", at("/boxes"), { card_ids: [output.at(-1)?.card_id] });
  const holds = await ok("GET", at(`/runs/${turn.root_turn_id}/holds`));
  expect(holds.shared).toMatchObject([{ root_turn_id: fork.root_turn_id, cards: expect.any(Number) }]);
  expect(holds.shared_elsewhere).toBe(1);
  const kept = await ok("GET", at(`/boxes/${fork.context_box_id}/cards`));
  const { counts } = await untilDone((await done(turn)).deletion_id);
  expect(counts.cards_kept).toBeGreaterThan(0);
  expect(await ok("GET", at(`/boxes/${fork.context_box_id}/cards`))).toEqual(kept);
  expect((await ok("GET", at(`/boxes/${gathered.box_id}/cards`)))[0].content).toMatchObject({
    text: "done: the word is nougat",
  });
  const page = await ok("GET", at(`/turns/${fork.agent_turn_id}`));
  expect(page.forked_from.root_turn_id).toBe(turn.root_turn_id);
  for (const card of kept) await ok("GET", at(`/cards/${card.card_id}/sightings`));
  const worker = await startTestWorker(kernel);
  onTestFinished(() => worker.stop());
  expect(await untilTurn(kernel, P, fork.agent_turn_id)).toMatchObject({ status: "success" });
});

test.each(["close", "settle", "lay", "rows", "erase", "settle_cards", "drop"])(
  "a process that dies in %s loses nothing: the watchdog does the rest",
  async (phase) => {
    const turn = await ran("Boss", `of figs and ${phase}`);
    let isDead = false;
    const dies: TestKernel = {
      ...kernel,
      tunables: { ...kernel.tunables, purgeRowsMax: 20, purgeTickMs: 20_000 },
      probe: async (point) => {
        if (point !== `deletion-${phase}`) return;
        isDead = true;
        throw new Error("killed");
      },
    };
    await expect(
      deleteRun(dies, { project_id: P, root_turn_id: turn.root_turn_id, by: "human_ann", reason: "" }),
    ).rejects.toThrow("killed");
    expect(isDead).toBe(true);
    const [open] = await sql("SELECT deletion_id FROM state.deletions WHERE subject_id = $1", [turn.root_turn_id]);
    const { counts } = await untilDone(open?.deletion_id);
    expect(counts.turns).toBe(5);
    expect(await sql("SELECT 1 FROM state.agent_turns WHERE root_turn_id = $1", [turn.root_turn_id])).toEqual([]);
    expect(await sql("SELECT 1 FROM card_boxes WHERE deletion_id IS NOT NULL", [])).toEqual([]);
    expect(await sql("SELECT 1 FROM state.deletion_cards", [])).toEqual([]);
    expect(await tablesWith(`figs and ${phase}`)).toEqual(["state.journal_packs"]);
  },
);

test("who packed from a box of it before has it whole; who comes later is refused; never half", async () => {
  const turn = await ran("Echo", "the word is praline");
  const box_id = turn.output_box_id ?? "";
  // Packing is stopped after it has read, and goes on when the deletion has been asked for.
  let go = () => {};
  const gate = new Promise<void>((next) => {
    go = next;
  });
  let hasRead = () => {};
  const read = new Promise<void>((next) => {
    hasRead = next;
  });
  const slow: TestKernel = {
    ...kernel,
    probe: async (point) => {
      if (point !== "before-commit") return;
      hasRead();
      await gate;
    },
  };
  const forked = withUnit(slow, (unit) => forkBox(unit, { project_id: P, box_id }));
  await read;
  const record = await done(turn);
  expect(record.ended_at).toBeUndefined();
  await expect(withUnit(kernel, (unit) => forkBox(unit, { project_id: P, box_id }))).rejects.toMatchObject({
    code: "not_found",
  });
  go();
  const fork = await forked;
  await untilDone(record.deletion_id);
  const cards = await ok("GET", at(`/boxes/${fork.box_id}/cards`));
  expect(cards).toHaveLength(fork.length);
  expect(JSON.stringify(cards)).toContain("done: the word is praline");
});

test("a run of 64 turns takes as many statements in a unit as one of 2, and only as many more units as its rows need", async () => {
  const units = async (target: string) => {
    const turn = await ran(target, "count them");
    const counts = await countUnits(kernel, (counting) =>
      deleteRun(
        { ...counting, tunables: { ...counting.tunables, purgeTickMs: 25_000 } },
        { project_id: P, root_turn_id: turn.root_turn_id, by: "human_ann", reason: "" },
      ),
    );
    const [left] = await sql("SELECT counts FROM state.deletions WHERE subject_id = $1 AND ended_at IS NOT NULL", [
      turn.root_turn_id,
    ]);
    // Each look at whoever began before is a unit of its own, and there are as many as that takes.
    return { turns: left?.counts.turns, most: Math.max(...counts), all: counts.filter((n) => n > WAITING).length };
  };
  const few = await units("Echo");
  const many = await units("Wide");
  expect([few.turns, many.turns]).toEqual([2, 64]);
  expect(few.most).toBeLessThanOrEqual(28);
  expect(many.most).toBeLessThanOrEqual(few.most);
  // 64 turns: two units to close, and those that bounds on rows and cards ask for.
  expect(many.all).toBeLessThanOrEqual(few.all + 20);
});

test("an imported log goes whole, and can be imported again", async () => {
  const bytes = Buffer.from(fs.readFileSync("examples/logs/museum-hours.json"));
  const agentsNow = () => sql("SELECT agent_id FROM resource.project_agents WHERE project_id = $1 ORDER BY 1", [P]);
  const before = await agentsNow();
  const log = { project_id: P, bytes, format: "who-and-when", name: "museum-hours.json" } as const;
  const { root_turn_id } = await importRun(kernel, log);
  const record = await done({ root_turn_id });
  const { counts } = await untilDone(record.deletion_id);
  expect(counts.cards_kept ?? 0).toBe(0);
  const { items } = await ok("GET", at("/cards?q=museum"));
  expect(items).toEqual([]);
  expect(await agentsNow()).toEqual(before);
  expect(await tablesWith("museum")).toEqual(
    expect.not.arrayContaining(["public.cards", "public.card_search", "state.agent_turns"]),
  );
  expect(await importRun(kernel, log)).toMatchObject({ root_turn_id, is_replay: false });
});

test("agents go with the run however many units it takes, also when their maker went before them", async () => {
  const before = await countRows(kernel);
  const turn = await ran("Boss", "in many units");
  const few: TestKernel = { ...kernel, tunables: { ...kernel.tunables, purgeRowsMax: 10 } };
  const record = await deleteRun(few, { project_id: P, root_turn_id: turn.root_turn_id, by: "human_ann", reason: "" });
  const { counts } = await untilDeleted(few, { project_id: P, deletion_id: record.deletion_id });
  expect(counts).toMatchObject({ turns: 5, agents: 4 });
  const after = await countRows(kernel);
  for (const table of ["resource.project_agents", "state.identity_extra"])
    expect([table, after[table]]).toEqual([table, before[table]]);
});
