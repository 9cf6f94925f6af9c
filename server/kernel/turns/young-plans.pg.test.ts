// A plan is kept by its connection: one that was made while a project was young must do for the project it becomes.
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callersOf, type Running } from "@/server/testing/callers";
import { forksOf } from "@/server/testing/forks";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { CLAIMABLE, claimOf } from "../inbox/claimable";
import { readCallerFacts } from "../provenance/read-facts";
import { type Unit, withUnit } from "../unit";
import { advance } from "./advance";
import { appendOutput } from "./append-output";
import { lockEnding, lockTurn } from "./lock-turn";

let kernel: TestKernel;
const P = "young";
const { running } = callersOf(() => kernel, P);
const { sleeping } = forksOf(() => kernel, P);
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Plain", worker_target: "t1" }]);
});
afterAll(() => kernel.close());

const READ = `SELECT sum(coalesce(idx_tup_fetch, 0) + seq_tup_read)::int AS rows FROM pg_stat_xact_user_tables
  WHERE schemaname IN ('public', 'resource', 'state') AND relname = ANY ($1::text[])`;
const rowsRead = async (unit: Unit, ...tables: string[]): Promise<number> =>
  (await unit.query<{ rows: number | null }>("rows_read", READ, [tables]))[0]?.rows ?? 0;

/** Rows of turns and agents that are read to lock one turn, twice, and to move it. */
const lookUp = (turn: Running): Promise<number> =>
  withUnit(kernel, async (unit) => {
    const given = { statuses: ["running" as const], what: "append" };
    const tables = ["agent_turns", "project_agents"];
    const before = await rowsRead(unit, ...tables);
    await lockTurn(unit, { ...turn, ...given });
    await lockEnding(unit, { project_id: P, keys: [turn], ...given });
    await advance(unit, { ...turn, from: ["running"], to: "running", epoch_step: 0, lease_holder: "w" });
    return (await rowsRead(unit, ...tables)) - before;
  });

type Node = { "Index Name"?: string; "Index Cond"?: string; Plans?: Node[] };
const condsOn = (node: Node, table: string): string[] => [
  ...(node["Index Name"]?.startsWith(`${table}_`) ? [node["Index Cond"] ?? "none"] : []),
  ...(node.Plans ?? []).flatMap((plan) => condsOn(plan, table)),
];

test("a caller's facts are looked up by id, even by a plan that was made while the project had few cards", async () => {
  const turn = await running("Plain");
  let text = "";
  const query: Unit["query"] = async (_name, asked) => {
    text = asked;
    return [];
  };
  await readCallerFacts({ query }, { project_id: P, caller: turn.turn });
  const client = new pg.Client(kernel.test.url);
  await client.connect();
  const explain = async (): Promise<Node[]> => {
    const ids = [P, turn.agent_turn_id, turn.turn.root_turn_id].map((id) => client.escapeLiteral(id));
    const { rows } = await client.query(`EXPLAIN (FORMAT JSON) EXECUTE facts (${ids})`);
    return rows.flatMap((row) => row["QUERY PLAN"].map(({ Plan }: { Plan: Node }) => Plan));
  };
  try {
    // As the units of a process that has just been started with its first project.
    await client.query("SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off");
    await client.query("SET enable_hashjoin = off; SET enable_mergejoin = off");
    await client.query(`PREPARE facts (text, text, text) AS ${text}`);
    const conds = (await explain()).flatMap((plan) => condsOn(plan, "cards"));
    expect(conds.length).toBeGreaterThanOrEqual(4);
    expect(conds.filter((cond) => !cond.includes("card_id"))).toEqual([]);
  } finally {
    await client.end();
  }
}, 60_000);

test("a lock and a move read only the rows of their turn, and no others of its project", async () => {
  const turn = await running("Plain");
  await sleeping("Plain", 64);
  await kernel.test.pool.query("ANALYZE");
  await lookUp(turn);
  for (let i = 0; i < 3; i++) await sleeping("Plain", 64);
  expect(await lookUp(turn)).toBeLessThanOrEqual(20);
}, 60_000);

test("a claim reads what it takes, however many wait", async () => {
  for (let i = 0; i < 4; i++) await sleeping("Plain", 64);
  await kernel.test.pool.query("ANALYZE");
  const claim = claimOf(kernel, { worker_targets: ["t1"], worker_id: "w", limit: 16 }, true).values;
  const [taken, read] = await withUnit(kernel, async (unit) => {
    const before = await rowsRead(unit, "due");
    const rows = await unit.query(
      "claim_lab",
      `SELECT $2::text AS worker_id, found.* FROM (${CLAIMABLE.around}) AS found`,
      claim,
    );
    return [rows.length, (await rowsRead(unit, "due")) - before];
  });
  expect(taken).toBe(16);
  // Of eight runs as many as it takes, counted; then the rows it locks, and finds again.
  expect(read).toBeLessThanOrEqual(180);
}, 60_000);

test("a caller's facts are read from the last of what it has written, however much that is", async () => {
  const turn = await running("Plain");
  for (let i = 0; i < 4; i++)
    await appendOutput(kernel, {
      ...turn,
      cards: Array.from({ length: 500 }, (_, n) => ({
        type: "agent.thought",
        author_id: turn.agent_id,
        content: `${i} ${n}`,
      })),
    });
  await kernel.test.pool.query("ANALYZE");
  const [note, read] = await withUnit(kernel, async (unit) => {
    const before = await rowsRead(unit, "cards");
    const { caller_note } = await readCallerFacts(unit, { project_id: P, caller: turn.turn });
    return [caller_note, (await rowsRead(unit, "cards")) - before];
  });
  expect(note).toBe("3 499");
  // Two chunks of 64, and what the person has written.
  expect(read).toBeLessThanOrEqual(140);
}, 60_000);

test("a box is read by its own key, however many begin with another one", async () => {
  const { turn } = await running("Plain");
  const box = [P, turn.context_box_id];
  const chunks = () =>
    withUnit(kernel, async (unit) => {
      const before = await rowsRead(unit, "card_boxes");
      const rows = await unit.query(
        "box_lab",
        "SELECT n FROM card_box_chunks WHERE tenant_id = $1 AND box_id = $2",
        box,
      );
      return [rows.length, (await rowsRead(unit, "card_boxes")) - before];
    });
  await kernel.test.pool.query("ANALYZE");
  const [, alone] = await chunks();
  await kernel.test.pool.query(
    `INSERT INTO card_boxes (tenant_id, box_id, kind, length, base_box, base_len)
     SELECT $1, 'box_on_' || n, 'context', 1, $2, 1 FROM generate_series(1, 500) n`,
    box,
  );
  const [found, read] = await chunks();
  expect(found).toBe(1);
  // Of its own, once for its tail and once for its base.
  expect([alone, read].map((rows) => (rows ?? 0) <= 2)).toEqual([true, true]);
}, 60_000);
