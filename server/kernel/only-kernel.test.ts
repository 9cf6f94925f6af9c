// What only the kernel may do: an edge or a head written elsewhere would bypass its invariants, and a command sent elsewhere
// would reach a tool that nobody waits for.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { readSqlTexts } from "@/server/testing/sql-texts";
import { ANY_TABLE, readWrites, tablesIn, tablesParsed } from "@/server/testing/sql-writes";

const root = path.resolve(import.meta.dirname, "../..");
const files = ["server", "app", "components"].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name}`)
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|^server\/testing\//.test(name)),
);
const writers = (pattern: RegExp) => files.filter((name) => pattern.test(readFileSync(path.join(root, name), "utf8")));
const outside = (folders: string[], names: string[]) =>
  names.filter((name) => !folders.some((folder) => name.startsWith(folder)));

/** Table -> the rooms whose SQL writes it. A new writer is added here with its reason in review; a former one is removed. */
const rooms: Record<string, readonly string[]> = {
  _prisma_migrations: ["migrate.ts"],
  // A restore fills whatever table the backup has; a project or a run that is deleted is emptied, table by table.
  [ANY_TABLE]: ["backup", "kernel/deletion", "kernel/roster"],
  // kernel/deletion takes the rows of a run that is deleted, and what quotes a card that is erased.
  // kernel/bundle writes a run down as it was elsewhere: all of its rows are new, and none of them is anybody's work.
  box_chunks: ["kernel/bundle", "kernel/cardbox", "kernel/deletion"],
  // A turn's output box is made in the statement that makes or leases the turn.
  card_boxes: ["kernel/bundle", "kernel/cardbox", "kernel/deletion", "kernel/turns"],
  card_search: ["kernel/cardbox", "kernel/deletion"],
  cards: ["kernel/bundle", "kernel/cardbox", "kernel/deletion"],
  // launch and turns count a project's runs; alarms keep its thresholds, deletion how long it keeps runs.
  projects: ["kernel/alarms", "kernel/bundle", "kernel/deletion", "kernel/launch", "kernel/roster", "kernel/turns"],
  "resource.artifact_blobs": ["kernel/artifacts", "kernel/bundle"],
  "resource.artifact_chunks": ["kernel/artifacts", "kernel/bundle"],
  "resource.artifact_names": ["kernel/artifacts", "kernel/bundle"],
  "resource.artifacts": ["kernel/artifacts", "kernel/bundle"],
  "resource.context_pack_sources": ["kernel/bundle", "kernel/deletion", "kernel/packs"],
  "resource.context_packs": ["kernel/bundle", "kernel/deletion", "kernel/packs"],
  "resource.mcp_offers": ["kernel/tools"],
  "resource.plan_drafts": ["kernel/plan"],
  "resource.plan_versions": ["kernel/plan"],
  "resource.plans": ["kernel/plan"],
  "resource.profiles": ["kernel/roster"],
  // Only turns lease and free an agent (below); reclaim makes it say again what its turns say.
  "resource.project_agents": [
    "kernel/delegation",
    "kernel/deletion",
    "kernel/launch",
    "kernel/reclaim",
    "kernel/roster",
    "kernel/turns",
  ],
  "resource.recipe_versions": ["kernel/roster"],
  "resource.recipes": ["kernel/roster"],
  "resource.saved_views": ["kernel/roster"],
  "resource.tools": ["kernel/bundle", "kernel/roster"],
  "resource.workspace_files": ["kernel/workspaces"],
  "resource.workspaces": ["kernel/workspaces"],
  "state.agent_steps": ["kernel/bundle", "kernel/deletion", "kernel/turns"],
  "state.agent_turns": ["kernel/bundle", "kernel/deletion", "kernel/launch", "kernel/turns"],
  // Whoever ends a turn or a batch says that it is due; reclaim takes it.
  "state.alarm_due": ["kernel/alarms", "kernel/batch", "kernel/reclaim", "kernel/turns"],
  "state.alarm_mutes": ["kernel/alarms", "kernel/bundle", "kernel/deletion"],
  "state.alarms": ["kernel/alarms", "kernel/bundle", "kernel/deletion"],
  // The end of a turn is the end of its branch: this has only what no turn says of one.
  "state.branch_extra": ["kernel/batch", "kernel/bundle", "kernel/deletion"],
  "state.calls_in_flight": ["kernel/tools"],
  "state.deletion_cards": ["kernel/deletion"],
  "state.deletions": ["kernel/deletion"],
  "state.env_calls": ["kernel/envdata"],
  "state.env_data": ["kernel/bundle", "kernel/envdata"],
  // Of turns: claims lease, reclaim gives back.
  "state.due": ["kernel/inbox", "kernel/reclaim", "kernel/turns"],
  // Turns and batches tell the others.
  "state.edge_extra": ["kernel/bundle", "kernel/inbox", "kernel/turns"],
  "state.inbox_messages": ["kernel/deletion", "kernel/inbox", "kernel/reclaim", "kernel/turns"],
  // A plan that holds a node asks, and its end drops what it asked.
  "state.human_requests": ["kernel/bundle", "kernel/deletion", "kernel/humans", "kernel/plan", "kernel/turns"],
  // The REST front keeps its own keys; a project that is deleted takes them along.
  "state.idempotency_keys": ["interop/rest", "kernel/roster"],
  "state.identity_extra": ["kernel/bundle", "kernel/delegation", "kernel/deletion"],
  "state.installation": ["backup", "installation.ts", "kernel/turns"],
  "state.journal_floor": ["installation.ts", "kernel/reclaim"],
  // Frames are written by journal alone; reclaim drops old ones, roster those of a deleted project.
  "state.journal_packs": ["kernel/journal", "kernel/reclaim", "kernel/roster"],
  "state.journal_parts": ["installation.ts"],
  "state.kept_results": ["kernel/kept-results.ts", "kernel/roster"],
  "state.plan_run_edits": ["kernel/bundle", "kernel/plan"],
  "state.plan_run_nodes": ["kernel/bundle", "kernel/plan"],
  "state.plan_runs": ["kernel/bundle", "kernel/deletion", "kernel/plan"],
  "state.pmo_batches": ["kernel/batch", "kernel/bundle"],
  // A round begins and goes on with the watchdog; a project that is deleted takes its findings along.
  "state.row_checks": ["kernel/audit"],
  "state.row_findings": ["kernel/audit", "kernel/roster"],
  "state.runs": [
    "kernel/bundle",
    "kernel/delegation",
    "kernel/deletion",
    "kernel/envdata",
    "kernel/launch",
    "kernel/turns",
  ],
  // A restore ends the old sessions, and its code may not import the kernel.
  "state.sessions": ["backup", "installation.ts", "kernel/sessions"],
  "state.turn_holders": ["kernel/turns"],
  "state.turn_waiting_tools": ["kernel/inbox", "kernel/reclaim", "kernel/tools", "kernel/turns"],
  "state.watchdog_failures": ["kernel/reclaim"],
  "state.workers": ["kernel/roster", "kernel/turns"],
  "state.write_proofs": ["kernel/reclaim"],
};

test("the files are found", () => {
  expect(files.length).toBeGreaterThan(200);
  expect(files).toContain("server/kernel/turns/enqueue-turns.ts");
});

describe("which room writes which table", () => {
  test("125 matches the list above exactly: no room more, and none less", () => {
    const writes = readWrites();
    const roomsOf = (name: string) => writes.flatMap(({ table, file }) => (table === name ? roomOf(file) : []));
    const found = writes.map(({ table }) => [table, [...new Set(roomsOf(table))].sort()]);
    expect(Object.fromEntries(found)).toEqual(rooms);
  });

  test.each([
    ["INSERT INTO state.runs (a) VALUES ($1)", ["state.runs"]],
    ["WITH a AS (UPDATE cards c SET b = 1 RETURNING c.b) DELETE FROM ONLY public.projects", ["cards", "projects"]],
    ["MERGE INTO state.workers w USING a ON true WHEN MATCHED THEN DELETE", ["state.workers"]],
    ["SELECT 1 FROM cards FOR UPDATE OF cards", []],
    ["SELECT 1 FROM cards FOR NO KEY UPDATE SKIP LOCKED", []],
    ["INSERT INTO cards (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET a = 2", ["cards"]],
    ["COPY $ ($) FROM STDIN", [ANY_TABLE]],
    ["COPY (SELECT 1 FROM cards) TO STDOUT", []],
  ])("the words of %s", (sql, tables) => expect(tablesIn(sql)).toEqual(tables));

  // The text is what Postgres parses: a write that the text did not show would be in no list.
  test("the text contains everything that Postgres parses as a change", { timeout: 60_000 }, async () => {
    const missed: string[] = [];
    let parsed = 0;
    for (const { name, texts } of readSqlTexts()) {
      for (const text of texts) {
        if (!/insert|update|delete|merge/i.test(text)) continue;
        const tables = await tablesParsed(text).catch(() => null);
        if (!tables) continue;
        parsed++;
        const said = tablesIn(text);
        missed.push(...tables.filter((table) => !said.includes(table)).map((table) => `${name}: ${table}`));
        break;
      }
    }
    expect(parsed).toBeGreaterThan(100);
    expect(missed).toEqual([]);
  });
});

/** A room of the kernel or the server; for a file outside all rooms, its own name. */
function roomOf(file: string): string {
  const within = file.replace(/^server\//, "");
  const folder = path.dirname(within);
  return folder === "." || folder === "kernel" ? within : folder;
}

test("125 commands are rung by the kernel and sent by doorbells", () => {
  const names = writers(/kind: "command"|cmd\.tool|commandSubject\(/);
  expect(outside(["server/kernel/", "server/doorbell/", "server/contract/"], names)).toEqual([]);
});

test("a live turn is moved, and an agent leased or freed, only by the verbs of a turn, and told again only by the rescue", () => {
  const moved = writers(/UPDATE state\.agent_turns( t)? SET(?:(?!\b(?:FROM|WHERE)\b)[^`])*\bstatus =/);
  expect(moved.sort()).toEqual(
    ["advance", "end-turns", "lease-next", "take-work"].map((verb) => `server/kernel/turns/${verb}.ts`),
  );
  const leased = writers(/UPDATE resource\.project_agents( a)? SET(?:(?!\b(?:FROM|WHERE)\b)[^`])*\bactive_turn =/);
  expect(leased.sort()).toEqual([
    "server/kernel/reclaim/rebuild-head.ts",
    "server/kernel/turns/end-turns.ts",
    "server/kernel/turns/lease-next.ts",
  ]);
  const born = writers(/INSERT INTO resource\.project_agents[^)]*\bactive_turn\b/);
  expect(born).toEqual(["server/kernel/roster/insert-agents.ts"]);
});
