// No read minds how large its project is: every statement that a page, a route or the palette sends is run on a seeded project
// beside a smaller one, and read no table that grows from one end to the other, nor many times the rows that it answers with.
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { appRouter } from "@/server/api/root";
import { routes } from "@/server/interop/rest/routes";
import { createProject } from "@/server/kernel/roster/create-project";
import { openTestKernel, type TestKernel } from "@/server/testing/kernel";
import { ask } from "@/server/testing/seed/ask";
import { type Capture, captureOf, type Sent } from "@/server/testing/seed/capture";
import { rowsRead } from "@/server/testing/seed/rows-read";
import { sampleReads } from "@/server/testing/seed/sample-reads";
import { seedMany } from "@/server/testing/seed/seed-many";

const PROJECT = "large";
const TURNS = 4_000;
/** Rows that may be read for each row that is answered; and without any, as many as one page of a walk looks at. */
const TIMES = 20;
const ROWS_FREE = 2_100;
/** Tables that have so many rows here grow with a project. */
const GROWN = 3_000;

const walked = "what it filters by has no index: it looks at a limited number of rows and says where it goes on";
const counted = "counts stop at 1,000";
const words = "words are looked for in the newest of each kind, a limited number, and the answer says so";
const told = "looks at the newest 1,000 of each of the rows that tell edges, and says where it goes on";
const whole = "all of a run, in pages by key";
const byKey = "one row by its key";
const stored = "a pack that was really built, with its bytes; context-packs.pg.test.ts reads some";
/** Start of a statement's name or text -> why it may read more. One that no longer does must leave the list. */
const mayRead: Record<string, string> = {
  profiles_list: counted,
  project_list: counted,
  project_contents: counted,
  "project.extras": counted,
  card_facets: "counts the newest 10,000 cards, and says so",
  run_as_of: "reads what the journal told in the time of one run, at most 20,000 packs, and says so",
  run_history: "as run_as_of",
  run_shared: "looks at 20,000 places of at most 1,000 cards of one run, and says so",
  saw_hits: "compares the cards of one run, however large the project is",
  runs_figures: "sums the turns of each run of a page, at most 10,000 of each, and says so",
  transcript: "a page is cut from the lines of one run, however large the project is",
  turn_subtree: "sums what all turns below one have cost: as many as there are",
  search_older: words,
  search_run: words,
  "search.query (card": walked,
  "search.query (turn": walked,
  "search.query (box": walked,
  "search.turn_ids": walked,
  "GET /state/execution/edges?": told,
  "box.lineage":
    "adds up the origins of one box, and looks at the newest 1,000 places of up to eight of its cards; it says so",
};

let kernel: TestKernel;
let client: pg.Client;
let capture: Capture;
const faults: string[] = [];
const excused = new Set<string>();

beforeAll(async () => {
  kernel = await openTestKernel();
  capture = captureOf(kernel.db.pool);
  client = new pg.Client(kernel.test.url);
  await client.connect();
  // Tables of a few thousand rows are read as a whole because that is cheap; a million rows would not be. What is still read so has
  // no index for what it asks.
  await client.query("SET jit = off; SET enable_seqscan = off; SET random_page_cost = 1.1");
  for (const [project_id, turns] of [
    ["small", 1_000],
    [PROJECT, TURNS],
  ] as const) {
    await createProject(kernel, { project_id, title: project_id });
    await seedMany(kernel, client, { project_id, turns });
  }
}, 120_000);
afterAll(async () => {
  await client?.end();
  await kernel?.close();
});

test("every read reads few rows for those it answers with, and no table that grows as a whole", {
  timeout: 120_000,
}, async () => {
  const { rows } = await client.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND reltuples > $1",
    [GROWN],
  );
  const grown = new Set(rows.map(({ name }) => name));
  expect(grown).toContain("cards");
  const seen = new Set<string>();
  for (const read of sampleReads(PROJECT, TURNS)) {
    capture.take();
    await ask(kernel, PROJECT, read);
    for (const sent of capture.take().filter(({ text }) => /^\s*(SELECT|WITH)/i.test(text))) {
      const key = `${sent.text} ${JSON.stringify(sent.values)}`;
      if (seen.has(key)) continue;
      seen.add(key);
      await judge(read.name, sent, grown);
    }
  }
  expect(seen.size).toBeGreaterThan(250);
  expect(faults).toEqual([]);
  expect(Object.keys(mayRead).filter((one) => !excused.has(one))).toEqual([]);
});

async function judge(name: string, sent: Sent, grown: ReadonlySet<string>): Promise<void> {
  const { read, shown, scans } = await rowsRead(client, sent);
  const whole = scans.filter(({ kind, table, rows }) => kind.includes("Seq Scan") && grown.has(table) && rows > GROWN);
  const isMuch = read > TIMES * shown + ROWS_FREE;
  if (!isMuch && whole.length === 0) return;
  const label = sent.name || sent.text.trim().replace(/\s+/g, " ");
  const excuse = Object.keys(mayRead).find((one) => label.startsWith(one) || name.startsWith(one));
  if (excuse !== undefined && whole.length === 0) excused.add(excuse);
  else
    faults.push(
      `${name}: ${label.slice(0, 90)}: ${read} read, ${shown} shown${whole.map((scan) => `, ${scan.kind} of ${scan.table}`).join("")}`,
    );
}

/** Read whose arguments a seeded project has none for -> why. One that is sampled must leave the list. */
const notSampled: Record<string, string> = {
  "/projects/{project_id}/artifacts/{sha256}": byKey,
  "/projects/{project_id}/context-packs/{pack}": stored,
  "/projects/{project_id}/context-packs/{pack}/boxes": stored,
  "/projects/{project_id}/context-packs/{pack}/diff/{other}": stored,
  "/projects/{project_id}/context-packs/{pack}/sidecar": stored,
  "/projects/{project_id}/deletions/{deletion_id}": byKey,
  "/projects/{project_id}/env/{root_turn_id}": "the sheet of the page reads the same, and more",
  "/projects/{project_id}/events": "a stream, by the journal's key",
  "/projects/{project_id}/plan-drafts/{draft_id}": byKey,
  "/projects/{project_id}/recipes/{name}": byKey,
  "/projects/{project_id}/recipes/{name}/versions": byKey,
  "/projects/{project_id}/runs/{root_turn_id}/bundle": whole,
  "/projects/{project_id}/runs/{root_turn_id}/report.html": whole,
  "/projects/{project_id}/search": "asked through search.query, class by class",
  "/projects/{project_id}/turns/{agent_turn_id}/thinking": "a stream of what a worker holds",
  "context_pack.boxes": stored,
  "context_pack.diff": stored,
  "context_pack.get": stored,
  "recipe.versions": byKey,
};

test("every route and every query of the browser is asked, or is declared not to be", () => {
  const samples = sampleReads(PROJECT, TURNS);
  const isAsked = (pattern: RegExp) =>
    samples.some(({ ask }) => "path" in ask && pattern.test(`/projects/${PROJECT}${ask.path.replace(/\?.*/, "")}`));
  const paths = routes
    .filter(({ method, path }) => method === "GET" && path.startsWith("/projects/{"))
    .filter(({ path }) => !isAsked(new RegExp(`^${path.replace(/\./g, "\\.").replace(/\{\w+\}/g, "[^/]+")}$`)))
    .map(({ path }) => path);
  const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>)
    .filter(([, procedure]) => procedure._def.type === "query")
    .map(([name]) => name)
    .filter((name) => !samples.some(({ ask }) => "procedure" in ask && ask.procedure === name));
  expect([...paths, ...procedures].sort()).toEqual(Object.keys(notSampled).sort());
});
