// Every query filters by project: each statement of the server that touches a table with a project column ties that column
// down in the query it stands in, or is declared here as one for all projects, with its reason. Statements are read from the
// sources and parsed as Postgres parses them.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestDatabase, type TestDatabase } from "@/server/testing/database";
import { faultsOf, type ScopedTables } from "@/server/testing/sql-scope";
import { readSqlTexts, type SqlText } from "@/server/testing/sql-texts";

const watchdog = "the watchdog looks after all projects; each row it lists is then handled under its own";
const worker = "a worker serves all projects; each row it is given bears its own";
/** Statement -> why it may look at all projects. One that no longer does so must leave the list. */
const acrossProjects: Record<string, string> = {
  "backup/load-tables.ts beginGeneration": "a restore begins a new generation of the whole database",
  "kernel/audit/check-next-rows.ts NOTE": watchdog,
  "kernel/audit/rules.ts PROJECTS": "looks for rows of projects that are gone, from project to project",
  "kernel/audit/rules.ts AUDIT_SQL": "all rows are checked, project by project; each finding has its own",
  "kernel/cardbox/index-cards.ts indexSql": watchdog,
  "kernel/cardbox/index-cards.ts indexOnce": watchdog,
  "kernel/read-models/read-health.ts HEALTH": "the health of the whole installation: counts and targets, no content",
  "kernel/inbox/claim-inbox.ts CLAIM": worker,
  "kernel/inbox/claimable.ts MESSAGES_LOCKED": worker,
  "kernel/inbox/claimable.ts TURNS_LOCKED": worker,
  "kernel/kept-results.ts SWEEP_GONE": "looks for answers of projects that are gone, from project to project",
  "kernel/live-sql.ts liveTurnsSql": "a part of statements that give it their project",
  "kernel/live-sql.ts sleepingTurnsSql": "a part of statements that give it their project",
  "kernel/reclaim/advance-plans.ts DUE": watchdog,
  "kernel/reclaim/delete-artifacts.ts UNUSED": watchdog,
  "kernel/reclaim/delete-uploads.ts LEFT": watchdog,
  "kernel/reclaim/delete-removed.ts DUE": watchdog,
  "kernel/reclaim/go-on-deleting.ts DUE": watchdog,
  "kernel/reclaim/go-on-deleting.ts OLD": watchdog,
  "kernel/reclaim/drop-old-frames.ts DROP": "the journal is kept for so many days in all projects",
  "kernel/reclaim/each-row.ts FORGET_GONE": watchdog,
  "kernel/reclaim/expire-requests.ts OVERDUE": watchdog,
  "kernel/reclaim/expire-tools.ts OVERDUE": watchdog,
  "kernel/reclaim/index-new-cards.ts FAILING": watchdog,
  "kernel/reclaim/index-new-cards.ts UNINDEXED": watchdog,
  "kernel/reclaim/lease-idle.ts LEFT": watchdog,
  "kernel/reclaim/release-claimed.ts RELEASE": watchdog,
  "kernel/reclaim/requeue-unstarted.ts requeueSql": watchdog,
  "kernel/reclaim/requeue-unstarted.ts REQUEUE": watchdog,
  "kernel/reclaim/requeue-unstarted.ts LIST": watchdog,
  "kernel/reclaim/ring-commands.ts againSql": watchdog,
  "kernel/reclaim/ring-commands.ts AGAIN": watchdog,
  "kernel/reclaim/ring-commands.ts LIST": watchdog,
  "kernel/reclaim/ring-waiting.ts WAITING": watchdog,
  "kernel/alarms/late-now.ts LATE": watchdog,
  "kernel/reclaim/sweep-alarms.ts TAKE": watchdog,
  "kernel/reclaim/sweep-batches.ts UNSETTLED": watchdog,
  "kernel/reclaim/take-over.ts SILENT": watchdog,
  "kernel/roster/list-projects.ts LIST": "the list of the projects themselves",
  "kernel/roster/list-removed.ts LIST": "the list of the projects themselves",
  "kernel/turns/register-worker.ts SEEN": "the row of a worker that is gone is of no use in any project",
  "kernel/turns/register-worker.ts removeWorker": "a worker of all projects stands under *",
  "kernel/turns/take-work.ts HELD": worker,
  "kernel/turns/take-work.ts TAKE": worker,
};

/** Put together while running, of pieces that are no text of the sources -> why that is safe. */
const assembled: Record<string, string> = {
  "backup/load-tables.ts refuseFull": "a restore is of the whole database; table names come from its own catalogue",
  "backup/tables.ts listSequences": "a backup is of the whole database; table names come from its own catalogue",
  "backup/tables.ts contentOf": "a backup is of the whole database; table names come from its own catalogue",
  "kernel/journal/write-frames.ts insertOf":
    "rows of placeholders alone; the columns, project_id among them, stand in the text",
};

let database: TestDatabase;
let tables: ScopedTables;
beforeAll(async () => {
  database = await openTestDatabase();
  const { rows } = await database.pool.query<{ name: string; column: string }>(
    `SELECT table_schema || '.' || table_name AS name, column_name AS column FROM information_schema.columns
     WHERE table_schema IN ('public', 'resource', 'state') AND column_name IN ('project_id', 'tenant_id')`,
  );
  tables = new Map(rows.map(({ name, column }) => [name, column]));
});
afterAll(() => database.close());

const texts = readSqlTexts();

/** The faults of the first way of reading it that is SQL; null where none is. */
async function judge({ texts: ways }: SqlText): Promise<string[] | null> {
  for (const text of ways) {
    const faults = await faultsOf(text, tables).catch(() => null);
    if (faults) return faults;
  }
  return null;
}

test("the statements and the tables are found", () => {
  expect(texts.length).toBeGreaterThan(300);
  expect(texts.map(({ name }) => name)).toContain("kernel/read-models/list-box-hits.ts OWNERS");
  expect(tables.get("state.agent_turns")).toBe("project_id");
  expect(tables.get("public.cards")).toBe("tenant_id");
});

test("every statement names the project, or is declared to look at all of them; no declaration is left over", async () => {
  const loose = new Map<string, string>();
  for (const text of texts) {
    const faults = await judge(text);
    if (faults && faults.length > 0) loose.set(text.name, faults.join("; "));
  }
  expect([...loose].filter(([name]) => !(name in acrossProjects))).toEqual([]);
  expect(Object.keys(acrossProjects).filter((name) => !loose.has(name))).toEqual([]);
});

test("every statement can be read here, or is declared to be put together while running", async () => {
  const unread = new Set<string>();
  for (const text of texts) if (!text.isPiece && (await judge(text)) === null) unread.add(text.name);
  expect([...unread].filter((name) => !(name in assembled))).toEqual([]);
  expect(Object.keys(assembled).filter((name) => !unread.has(name))).toEqual([]);
});

describe("what the check sees", () => {
  test.each([
    ["no filter", "SELECT * FROM cards WHERE card_id = $1"],
    [
      "a filter on the other table alone",
      "SELECT * FROM cards c, state.runs r WHERE r.project_id = $1 AND c.card_id = r.x",
    ],
    [
      "a join by id alone",
      "SELECT * FROM state.runs r JOIN state.agent_turns t ON t.agent_turn_id = r.root_turn_id WHERE r.project_id = $1",
    ],
    ["a filter that one way of OR passes by", "SELECT * FROM cards WHERE tenant_id = $1 OR card_id = $2"],
    ["a filter that is negated", "SELECT * FROM cards WHERE NOT (tenant_id = $1)"],
    ["a filter that is no equality", "SELECT * FROM cards WHERE tenant_id > $1"],
    ["rows tied to each other, and to no value", "SELECT * FROM cards c JOIN card_search s USING (tenant_id, card_id)"],
    [
      "a query within",
      "SELECT 1 FROM cards c WHERE c.tenant_id = $1 AND EXISTS (SELECT 1 FROM state.runs WHERE root_turn_id = c.card_id)",
    ],
    ["a part of a WITH", "WITH a AS (SELECT * FROM cards) SELECT * FROM a WHERE tenant_id = $1"],
    ["half of a UNION", "SELECT card_id FROM cards WHERE tenant_id = $1 UNION ALL SELECT card_id FROM cards"],
    ["an UPDATE", "UPDATE state.agent_turns SET note = $2 WHERE agent_turn_id = $1"],
    [
      "an UPDATE that is fed by an id alone",
      "UPDATE state.agent_turns t SET note = 'x' FROM state.runs r WHERE r.project_id = $1 AND t.agent_turn_id = r.root_turn_id",
    ],
    ["a DELETE", "DELETE FROM state.runs USING state.agent_turns t WHERE t.project_id = $1"],
    ["an INSERT without the column", "INSERT INTO cards (card_id) VALUES ($1)"],
    ["an INSERT from elsewhere", "INSERT INTO cards (tenant_id, card_id) SELECT tenant_id, card_id FROM card_search"],
    ["a name that only looks like it", "SELECT * FROM cards WHERE card_id = 'tenant_id = $1'"],
  ])("%s", async (_what, text) => expect(await faultsOf(text, tables)).not.toEqual([]));

  test.each([
    ["a filter", "SELECT * FROM cards WHERE tenant_id = $1 AND card_id = ANY ($2)"],
    [
      "a join that carries it on",
      "SELECT * FROM state.runs r JOIN cards c ON c.tenant_id = r.project_id WHERE r.project_id = $1",
    ],
    ["a pair of columns", "SELECT * FROM cards WHERE (tenant_id, card_id) = ($1, $2)"],
    [
      "a query within that looks outward",
      "SELECT 1 FROM cards c WHERE c.tenant_id = $1 AND EXISTS (SELECT 1 FROM state.runs r WHERE r.project_id = c.tenant_id)",
    ],
    ["an INSERT with it", "INSERT INTO cards (tenant_id, card_id) SELECT $1, x FROM unnest($2::text[]) AS x"],
    ["a table of no project", "SELECT * FROM state.installation"],
  ])("lets pass: %s", async (_what, text) => expect(await faultsOf(text, tables)).toEqual([]));

  test("the filter that was once taken from the list of boxes", async () => {
    const owners = texts.find(({ name }) => name === "kernel/read-models/list-box-hits.ts OWNERS")?.texts[0] ?? "";
    expect(await faultsOf(owners, tables)).toEqual([]);
    const mutant = owners.replace("t.project_id = $1 AND", "");
    expect(mutant).not.toBe(owners);
    expect(await faultsOf(mutant, tables)).not.toEqual([]);
  });
});
