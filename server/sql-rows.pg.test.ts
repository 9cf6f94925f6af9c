// Every statement of the kernel and of what speaks for it is prepared on the real schema, and what Postgres says of its columns is
// compared with the row type that the code declares: the compiler takes a row type on trust.
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestDatabase, type TestDatabase } from "@/server/testing/database";
import { readSqlCalls, type SqlCall } from "@/server/testing/sql-calls";
import { describeSql, type Field, faultsOfRow } from "@/server/testing/sql-rows";

/** Statement and column -> why a column that may be null in its table is not null there. One that is not needed must go. */
const neverNull: Record<string, string> = {
  "LIST(pieces) waiting_tool_count": "counted by the view of heads",
  "run_held_agents agent_id": "WHERE is_held, which only rows with queued_for are",
  "reclaim_left agent_id": "WHERE queued_for IS NOT NULL",
  "reclaim_left row_key": "WHERE queued_for IS NOT NULL",
  "plan_run_lines version": "a run of a published plan has its version",
  "inbox_find_claimed agent_turn_id": "every message is for a turn",
  "agents_kinship source_agent_id": "WHERE source_agent_id = ANY (...)",
  "agents_requests request_tokens": "WHERE request_tokens IS NOT NULL",
  "blame_delivered output_box_id": "WHERE output_box_id = ANY (...)",
  "bundle_boxes_leaving deletion_id": "WHERE deletion_id IS NOT NULL",
  "resume_row agent_turn_id": "compared with the turn's id",
  "run_drawing_gates node_id": "a batch of a plan run has the node that it runs",
  "handover_branches task_index": "a turn of a batch has its place in it",
  "human_request_approved decision_card_id": "approving writes the decision's card in the same statement",
  "step_request request_box_id": "WHERE request_box_id IS NOT NULL",
  "fork_step request_box_id": "WHERE request_box_id IS NOT NULL",
  "results_others tool_call_id": "the correlation_id that the same statement gives the row",
  "reclaim_commands target_subject": "WHERE target_subject matches",
  "reclaim_commands step_id": "WHERE step_id IS NOT NULL",
  "reclaim_commands_one target_subject": "WHERE target_subject matches",
  "reclaim_commands_one step_id": "WHERE step_id IS NOT NULL",
  "turns_end deliverable_card_id": "set by the same statement, and held by a CHECK on ended turns",
  "turns_end output_box_id": "set by the same statement",
  "turns_end_only deliverable_card_id": "set by the same statement, and held by a CHECK on ended turns",
  "turns_end_only output_box_id": "set by the same statement",
  "wait_longer deadline_at": "set by the same statement",
  "project_list_removed removed_at": "WHERE removed_at IS NOT NULL",
  "bundle_bytes bytes": "WHERE bytes IS NOT NULL",
  "artifacts_read bytes": "WHERE bytes IS NOT NULL",
  "card_hide deleted_at": "set by the same statement",
  "resume_again card_id": "WHERE tool_result_card_id IS NOT NULL",
};

let database: TestDatabase;
let client: pg.Client;
let calls: SqlCall[];
beforeAll(async () => {
  calls = readSqlCalls();
  database = await openTestDatabase();
  client = new pg.Client(database.url);
  await client.connect();
}, 120_000);
afterAll(async () => {
  await client?.end();
  await database?.close();
});

test("every statement can be prepared and returns what its row type declares", { timeout: 120_000 }, async () => {
  const faults = new Set<string>();
  const nulls = new Set<string>();
  const counted = { prepared: 0, typed: 0 };
  for (const call of calls) {
    if (call.texts.length === 0) faults.add(`${call.where} has no text that can be told without running it`);
    for (const ways of call.texts) {
      const fields = await firstPrepared(ways);
      if (typeof fields === "string") {
        faults.add(`${call.where}: ${fields}`);
        continue;
      }
      counted.prepared++;
      if (!call.row) continue;
      counted.typed++;
      const found = faultsOfRow(fields, call.row);
      for (const fault of found.faults) faults.add(`${call.where} ${fault}`);
      for (const column of found.nulls) nulls.add(`${call.where.split(" ")[1]} ${column}`);
    }
  }
  expect([...faults]).toEqual([]);
  expect([...nulls].sort()).toEqual(Object.keys(neverNull).sort());
  expect(counted.prepared).toBeGreaterThan(350);
  expect(counted.typed).toBeGreaterThan(280);
});

test("a name stands for one text: a connection that has prepared it under that name would refuse the other", () => {
  const texts = new Map<string, Set<string>>();
  for (const { name, texts: all } of calls) {
    const [only, another] = all;
    if (name === null || !only || another) continue;
    texts.set(name, (texts.get(name) ?? new Set()).add(only.join()));
  }
  expect(texts.size).toBeGreaterThan(200);
  expect([...texts].flatMap(([name, different]) => (different.size > 1 ? name : []))).toEqual([]);
});

describe("what the check sees", () => {
  const row = {
    type: "Row",
    columns: new Map([
      ["run_number", { isOptional: false, isNull: false, kinds: ["number" as const], type: "number" }],
      ["title", { isOptional: false, isNull: false, kinds: ["string" as const], type: "string" }],
    ]),
  };
  const seen = async (text: string) => faultsOfRow(await describeSql(client, text), row);
  test.each([
    ["a column that is missing", "SELECT 1 AS run_number", ["does not return title, which Row declares"]],
    [
      "one that nobody declares",
      "SELECT 1 AS run_number, 'a'::text AS title, 2 AS more",
      ["returns more, which Row does not declare"],
    ],
    [
      "another type",
      "SELECT '1'::text AS run_number, 'a'::text AS title",
      ["returns run_number as string, declared number"],
    ],
    [
      "a type that the driver leaves as it is",
      "SELECT 1 AS run_number, now()::date AS title",
      ["returns title of type 1082, which is not known here"],
    ],
  ])("%s", async (_what, text, faults) => expect((await seen(text)).faults).toEqual(faults));

  test("a column that may be null", async () =>
    expect((await seen("SELECT 1 AS run_number, display_name AS title FROM resource.project_agents")).nulls).toEqual([
      "title",
    ]));

  test("a statement that the schema does not take", async () =>
    await expect(describeSql(client, "SELECT no_such_column FROM cards")).rejects.toThrow("no_such_column"));
});

/** Of the ways to fill in what is only known while running. */
async function firstPrepared(ways: string[]): Promise<Field[] | string> {
  let said = "";
  for (const text of ways) {
    try {
      return await describeSql(client, text);
    } catch (error) {
      said ||= error instanceof Error ? error.message : String(error);
    }
  }
  return said;
}
