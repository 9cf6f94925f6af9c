// Compares the lists of columns next to the row types with the schema, and tests what they are for: a newer version running at
// the same time adds a column to every table, and this one keeps using the statements it has prepared.
import { afterAll, beforeAll, expect, test } from "vitest";
import { callersOf } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { BATCH_COLUMNS, TASK_COLUMNS } from "./batch/batch-row";
import { REQUEST_COLUMNS } from "./inbox/human-request-row";
import { WAIT_COLUMNS } from "./inbox/waits";
import { listTurns } from "./read-models/list-turns";
import { readSnapshot } from "./read-models/read-snapshot";
import { readTurnDetail } from "./read-models/read-turn-detail";
import { AGENT_COLUMNS } from "./roster/agent-row";
import { TOOL_COLUMNS } from "./roster/find-tool";
import { PROFILE_COLUMNS } from "./roster/profile-row";
import { listAgents } from "./roster/read-agents";
import { RECIPE_COLUMNS } from "./roster/recipe-row";
import { TURN_COLUMNS } from "./turns/turn-row";

const P = "columns";
let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Plain" }]);
});
afterAll(() => kernel.close());

/** As they are in the database, in any order. */
async function columnsIn(table: string): Promise<string[]> {
  const { rows } = await kernel.test.pool.query<{ name: string }>(
    "SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped",
    [table],
  );
  return rows.map(({ name }) => name).toSorted();
}

const OF_EDGES = ["tells_request", "tells_response"];

const OF_HEADS = ["active_turn", "turn_epoch", "last_output_box_id", "memory_context_box_id"];

test.each([
  // What only the rows of their batches show, and what only the views of edges do.
  [
    "state.agent_turns",
    [
      ...TURN_COLUMNS,
      "summary",
      "pack_ref",
      ...OF_EDGES,
      "client_call_key",
      "context_pack_ref",
      "taken_by",
      "taken_epoch",
    ],
  ],
  ["state.pmo_batches", [...BATCH_COLUMNS, "turns", ...OF_EDGES, "parent_step_id"]],
  ["state.pmo_batch_tasks", TASK_COLUMNS],
  ["state.branch_extra", TASK_COLUMNS],
  ["state.human_requests", REQUEST_COLUMNS],
  [
    "resource.project_agents",
    [...AGENT_COLUMNS, ...OF_HEADS, "made_action", "made_by", "made_trace_id", "made_step_id"],
  ],
  ["resource.profiles", PROFILE_COLUMNS],
  ["resource.tools", TOOL_COLUMNS],
  ["resource.recipe_versions", RECIPE_COLUMNS],
])("the list of %s is complete", async (table, columns) => {
  expect([...columns].toSorted()).toEqual(await columnsIn(table));
});

test("a wait leaves out only its times", async () => {
  const there = await columnsIn("state.turn_waiting_tools");
  expect(there.filter((name) => !(WAIT_COLUMNS as readonly string[]).includes(name))).toEqual([
    "created_at",
    "updated_at",
  ]);
  expect(WAIT_COLUMNS.filter((name) => !there.includes(name))).toEqual([]);
});

test("a column that a newer version adds breaks no prepared statement and is in no answer", async () => {
  const { launched, run, running, call, deliver } = callersOf(() => kernel, P);
  const work = async () => {
    const caller = await running("Plain");
    const child = await call(caller, { target_strategy: "new", target_ref: "Plain", instruction: "x" });
    if (!("agent_turn_id" in child)) throw new Error("a delegation answers its turn");
    await deliver(await run(child.agent_id, child.agent_turn_id, child.turn_epoch ?? 0), "done");
    const { root } = await launched("Plain");
    return [
      await readTurnDetail(kernel, { project_id: P, agent_turn_id: caller.agent_turn_id }),
      await readSnapshot(kernel, { project_id: P, root_turn_id: "all" }),
      await listTurns(kernel, { project_id: P, root_turn_id: root, limit: 10 }),
      await listAgents(kernel, { project_id: P }),
    ];
  };
  await Promise.all([work(), work(), work()]);
  const { rows: tables } = await kernel.test.pool.query<{ name: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname IN ('public', 'resource', 'state') AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relname <> '_prisma_migrations'`,
  );
  for (const { name } of tables)
    await kernel.test.pool.query(`ALTER TABLE ${name} ADD COLUMN of_a_newer_version text DEFAULT 'unknown here'`);
  for (const answers of await Promise.all([work(), work(), work()]))
    expect(JSON.stringify(answers)).not.toContain("of_a_newer_version");
});
