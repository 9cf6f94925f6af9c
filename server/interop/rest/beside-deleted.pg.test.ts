// Whatever is read beside a deleted run, or after contents were erased: an answer, or a refusal that says so; never a fault, never the text.
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { KernelError } from "@/server/contract/errors";
import { env } from "@/server/env";
import { forkTurn } from "@/server/kernel/launch/fork-turn";
import { launch } from "@/server/kernel/launch/launch";
import { readRunHistory } from "@/server/kernel/read-models/read-run-history";
import { readLeanSnapshot } from "@/server/kernel/read-models/read-snapshot";
import { readTurnDetail } from "@/server/kernel/read-models/read-turn-detail";
import { readTurnSheet } from "@/server/kernel/read-models/read-turn-sheet";
import { beginDeleting, untilDeleted } from "@/server/testing/deletions";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";
import { scripted, startTestWorker, untilTurn } from "@/server/testing/turns";
import { routes } from "./routes";
import { serveRest } from "./serve";

let kernel: TestKernel;
const P = "beside";
const { ok } = restOf(() => kernel);
const at = (path: string) => `/projects/${P}${path}`;
const task = (instruction: string) => ({ target_strategy: "new", target_ref: "Echo", instruction });
const sql = async <R>(text: string, values: unknown[]): Promise<R[]> => (await kernel.db.pool.query(text, values)).rows;

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [
    scripted("Echo", [{ deliver: "done: {instruction}" }]),
    scripted(
      "Boss",
      [
        { call: "fork_join", arguments: { tasks: [task("{instruction} a"), task("{instruction} b")] } as never },
        { deliver: "joined: {instruction}" },
      ],
      { allowed_tools: ["fork_join"], delegation_policy: { target_tags: [] } },
    ),
  ]);
});
afterAll(() => kernel.close());

/** A run with a fork; another run with a fork of one of its turns; a third that was handed what it delivered; a box that a person gathered. */
async function world(word: string) {
  const worker = await startTestWorker(kernel);
  onTestFinished(() => worker.stop());
  const launched = async (target_ref: string, instruction: string, more: object = {}) => {
    const args = { ...task(instruction), target_ref, ...more };
    const { root_turn_id, result } = await launch(kernel, { project_id: P, user: "ann", tool: "delegate_async", args });
    if (!("agent_turn_id" in result)) throw new Error("a delegation was launched");
    return { root_turn_id, turn: await untilTurn(kernel, P, result.agent_turn_id) };
  };
  const own = await launched("Boss", `speak of ${word}`);
  const fork = await forkTurn(kernel, {
    ...{ project_id: P, agent_turn_id: own.turn.agent_turn_id, user: "ann", replace: [], drop: [] },
  } as Parameters<typeof forkTurn>[1]);
  await untilTurn(kernel, P, fork.agent_turn_id);
  const handed = await launched("Echo", "go on", { context_box_id: own.turn.output_box_id });
  await ok("POST", at("/boxes"), { card_ids: [own.turn.deliverable_card_id] });
  await worker.stop();
  return { own: own.root_turn_id, others: [fork.root_turn_id, handed.root_turn_id] };
}

type Ids = Record<
  "root_turn_id" | "agent_turn_id" | "box_id" | "card_id" | "batch_id" | "step_id" | "agent_id",
  string[]
>;

async function idsOf(roots: string[]): Promise<Ids> {
  const [row] = await sql<Ids>(
    `WITH turns AS (SELECT * FROM state.agent_turns WHERE project_id = $1 AND root_turn_id = ANY ($2)),
       boxes AS (SELECT context_box_id AS id FROM turns UNION SELECT output_box_id FROM turns WHERE output_box_id IS NOT NULL),
       steps AS (SELECT step_id FROM state.agent_steps JOIN turns USING (project_id, agent_turn_id))
     SELECT ARRAY(SELECT agent_turn_id FROM turns) AS agent_turn_id, ARRAY(SELECT DISTINCT agent_id FROM turns) AS agent_id,
       ARRAY(SELECT id FROM boxes) AS box_id, ARRAY(SELECT step_id FROM steps) AS step_id,
       ARRAY(SELECT batch_id FROM state.pmo_batches WHERE project_id = $1 AND root_turn_id = ANY ($2)) AS batch_id,
       ARRAY(SELECT DISTINCT unnest(card_ids) FROM card_box_chunks WHERE tenant_id = $1 AND box_id IN (SELECT id FROM boxes)) AS card_id`,
    [P, roots],
  );
  if (!row) throw new Error("one row was asked for");
  return { ...row, root_turn_id: roots };
}

/** What a route cannot be asked without; several are several questions. */
const QUERIES: Record<string, (word: string, ids: Ids) => string[]> = {
  exportRunBundle: () => ["redact=0", "redact=1"],
  exportRunReport: () => ["redact=0", "redact=1"],
  sawText: (word) => [`text=${word}`],
  search: (word) => [word, "run:1", "is:success"].map((q) => `q=${encodeURIComponent(q)}`),
  listCards: (word) => ["", `q=${word}`],
  listRuns: (word) => ["", `q=${word}`],
  listTurns: (word) => ["", `q=${word}`],
  readRunAsOf: () => [
    `at=${new Date().toISOString()}`,
    "at=2100-01-01T00:00:00Z",
    `at=${new Date(Date.now() - 1_500).toISOString()}`,
  ],
  readFlowCards: (_word, ids) => ids.agent_turn_id.map((turn) => `from=person:human_ann&to=${turn}`),
  getSightings: () => ["", "include=same_words,copies"],
};
/** Streams never end; the test of a person is erase-person.pg.test.ts. */
const SKIPPED = /\/events$|\/thinking$|\/people\//;

/** Ids of one kind that a path is asked with, and questions at once. */
const EACH_MAX = 5;
const AT_ONCE = 8;

type Asked = { path: string; status: number; text: string };

/** Every reading of the project that names what is of these runs, or nothing. */
async function readAll(word: string, ids: Ids): Promise<Asked[]> {
  const paths = routes.flatMap(({ method, path, operationId }) => {
    if (method !== "GET" || SKIPPED.test(path) || !path.startsWith("/projects/{project_id}")) return [];
    const queries = (QUERIES[operationId] ?? (() => [""]))(word, ids);
    return fill(path.replace("{project_id}", P), ids).flatMap((filled) =>
      queries.map((query) => (query === "" ? filled : `${filled}?${query}`)),
    );
  });
  expect(paths.length).toBeGreaterThan(100);
  const asked: (() => Promise<Asked>)[] = [
    ...paths.map((path) => () => ask("GET", path)),
    ...ids.card_id.map((card_id) => () => ask("POST", at("/blame"), { card_id })),
    ...ids.root_turn_id.map((root_turn_id) => () => ask("POST", at("/blame"), { text: word, root_turn_id })),
  ];
  const answers: Asked[] = [];
  for (let i = 0; i < asked.length; i += AT_ONCE)
    answers.push(...(await Promise.all(asked.slice(i, i + AT_ONCE).map((one) => one()))));
  return [...answers, ...(await readPages(ids))];
}

/** Paths whose parts these ids do not have are none. `other` is one of the same kind. */
function fill(path: string, ids: Ids): string[] {
  const [, name] = /\{(\w+)\}/.exec(path) ?? [];
  if (name === undefined) return [path];
  const kind = name === "other" ? (/\/(runs|boxes|steps)\//.exec(path)?.[1] ?? "") : name;
  const named: Record<string, string[]> = {
    ...ids,
    runs: ids.root_turn_id,
    boxes: ids.box_id.slice(0, 3),
    steps: ids.step_id.slice(0, 3),
  };
  const some = name === "box_id" && path.includes("{other}") ? ids.box_id.slice(0, 3) : (named[kind] ?? []);
  return some.slice(0, EACH_MAX).flatMap((id) => fill(path.replace(`{${name}}`, id), ids));
}

async function ask(method: string, path: string, body?: object): Promise<Asked> {
  const url = `http://127.0.0.1:${env().PORT}/api/v1${path}`;
  const request = new Request(url, {
    method,
    ...(body && { body: JSON.stringify(body) }),
    headers: { host: new URL(url).host, "content-type": "application/json" },
  });
  const response = await serveRest(kernel, request, new URL(url).pathname.replace("/api/v1", ""));
  const bytes = Buffer.from(await response.arrayBuffer());
  const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return {
    path: `${method} ${path} ${JSON.stringify(body ?? "")}`,
    status: response.status,
    text: (isZipped ? gunzipSync(bytes) : bytes).toString(),
  };
}

/** What only the browser asks. */
async function readPages(ids: Ids): Promise<Asked[]> {
  const asked = (path: string, work: Promise<unknown>): Promise<Asked> =>
    work.then(
      (answer) => ({ path, status: 200, text: JSON.stringify(answer) ?? "" }),
      (error: unknown) => ({
        ...{ path, status: error instanceof KernelError ? error.status : 500 },
        text: error instanceof Error ? error.message : String(error),
      }),
    );
  const ofRuns = ids.root_turn_id.flatMap((root_turn_id) => [
    asked(`snapshot ${root_turn_id}`, readLeanSnapshot(kernel, { project_id: P, root_turn_id })),
    asked(`history ${root_turn_id}`, readRunHistory(kernel, { project_id: P, root_turn_id })),
  ]);
  const ofTurns = ids.agent_turn_id.flatMap((agent_turn_id) => [
    asked(`detail ${agent_turn_id}`, readTurnDetail(kernel, { project_id: P, agent_turn_id })),
    asked(`sheet ${agent_turn_id}`, readTurnSheet(kernel, { project_id: P, agent_turn_id })),
  ]);
  return Promise.all([...ofRuns, ...ofTurns]);
}

const faults = (answers: Asked[]) =>
  answers.filter(({ status }) => status >= 500).map(({ path, status, text }) => [path, status, text.slice(0, 200)]);
const telling = (answers: Asked[], word: string) =>
  answers
    .filter(({ path, text }) => text.includes(word) && !path.includes(word))
    .map(({ path, text }) => [
      path.replace(/(turn|box|card|step|batch)_[\w-]+/g, "$1"),
      text.slice(Math.max(0, text.indexOf(word) - 120), text.indexOf(word) + 40),
    ]);

test("after the words of a run were erased, no answer about it and its kin has them, and none is a fault", async () => {
  const { own, others } = await world("marzipan");
  const ids = await idsOf([own, ...others]);
  const before = await readAll("marzipan", ids);
  expect(faults(before)).toEqual([]);
  expect(telling(before, "marzipan").length).toBeGreaterThan(20);
  const cards = await sql<{ card_id: string }>(
    "SELECT card_id FROM cards WHERE tenant_id = $1 AND (content::text LIKE '%marzipan%' OR tool_calls::text LIKE '%marzipan%')",
    [P],
  );
  for (const { card_id } of cards) {
    const { deletion_id } = await ok("POST", at(`/cards/${card_id}:erase`), { user: "dpo" });
    await untilDeleted(kernel, { project_id: P, deletion_id });
  }
  const after = await readAll("marzipan", ids);
  expect(faults(after)).toEqual([]);
  expect(telling(after, "marzipan")).toEqual([]);
  expect(after.filter(({ status }) => status === 200).length).toBeGreaterThan(before.length / 2);
});

test("beside a run that is being deleted and then is gone, its kin can be read whole, and it says that it was deleted", async () => {
  const { own, others } = await world("nougat");
  const gone = await idsOf([own]);
  const kin = await idsOf(others);
  const both = await idsOf([own, ...others]);
  const before = new Map((await readAll("nougat", kin)).map(({ path, status }) => [path, status]));
  const deletion_id = await beginDeleting(kernel, { project_id: P, root_turn_id: own });
  expect(faults(await readAll("nougat", both))).toEqual([]);
  await untilDeleted(kernel, { project_id: P, deletion_id });
  const after = await readAll("nougat", kin);
  expect(faults(after)).toEqual([]);
  const lost = after.filter(({ path, status }) => status !== before.get(path) && before.has(path));
  expect(lost.map(({ path, status, text }) => [path, status, text.slice(0, 200)])).toEqual([]);
  const asked = (await readAll("nougat", gone)).filter(({ path }) => /root|turn_|box_|batch_|step_/.test(path));
  expect(faults(asked)).toEqual([]);
  const runs = asked.filter(({ path }) => path.startsWith("GET") && path.includes(`/runs/${own}`));
  expect(runs.length).toBeGreaterThan(10);
  for (const { path, status, text } of runs) {
    expect([path, status]).toEqual([path, 404]);
    expect(text, path).toMatch(/run \d+ was deleted by human_ann/);
  }
  for (const [a, b] of others.flatMap((one) => [
    [one, own],
    [own, one],
  ])) {
    const { status, text } = await ask("GET", at(`/runs/${a}/compare/${b}`));
    expect([status, text]).toEqual([404, expect.stringMatching(/run \d+ was deleted by human_ann/)]);
  }
});
