// LISTEN/NOTIFY as a doorbell: what travels, and what a broken session costs.
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openDb } from "@/server/db";
import type { Doorbell, Ring } from "@/server/kernel/kernel";
import { openTestDatabase, type TestDatabase } from "@/server/testing/database";
import { startRelay } from "@/server/testing/relay";
import { createPgDoorbell } from "./pg-doorbell";

let database: TestDatabase;
const command: Ring = {
  kind: "command",
  project_id: "p1",
  target_subject: "cmd.tool.word_count",
  agent_id: "a",
  agent_turn_id: "t",
  turn_epoch: 1,
  step_id: "s",
  tool_call_id: "tc",
  tool_name: "word_count",
  tool_call_card_id: "card",
  after_execution: "suspend",
  recursion_depth: 1,
  trace_id: "0af7651916cd43dd8448eb211c80319c",
};

beforeAll(async () => {
  database = await openTestDatabase({ isEmpty: true });
});
afterAll(() => database.close());

function open(): Doorbell {
  const doorbell = createPgDoorbell({ pool: database.pool, url: database.url });
  onTestFinished(() => doorbell.close());
  return doorbell;
}

async function until(isSo: () => unknown): Promise<void> {
  for (const end = Date.now() + 10_000; !(await isSo()); await new Promise((done) => setTimeout(done, 10)))
    if (Date.now() > end) throw new Error("it did not come to that in 10 s");
}

async function heardBy(doorbell: Doorbell): Promise<Ring[]> {
  const heard: Ring[] = [];
  await doorbell.listen((ring) => heard.push(ring));
  return heard;
}

test("wakeups, journals and commands travel; events do not, the journal has them", async () => {
  const heard = await heardBy(open());
  await open().ring([
    { kind: "wakeup", project_id: "p1", worker_target: "w.1", agent_id: "a" },
    { kind: "event", event: "state", project_id: "p1", agent_id: "a", agent_turn_id: "t", status: "running", rev: 2 },
    command,
    { kind: "journal", project_id: "p1" },
  ]);
  await until(() => heard.length === 3);
  expect(heard).toEqual([
    { kind: "wakeup", project_id: "p1", worker_target: "w.1" },
    command,
    { kind: "journal", project_id: "p1" },
  ]);
});

test("who rings for work hears it at once and once; others hear it over the database", async () => {
  const [here, there] = [open(), open()];
  const [near, far] = [await heardBy(here), await heardBy(there)];
  const ring: Ring = { kind: "wakeup", project_id: "p1", worker_target: "w.1" };
  const ringing = here.ring([ring]);
  expect(near).toEqual([ring]);
  await ringing;
  await there.ring([{ kind: "journal", project_id: "p1" }]);
  await until(() => near.length > 1 && far.length > 1);
  expect([near, far]).toEqual([
    [ring, { kind: "journal", project_id: "p1" }],
    [ring, { kind: "journal", project_id: "p1" }],
  ]);
});

test("what a model says travels to whoever asked for it, and a lost lease to whoever holds it, in order", async () => {
  const heard = await heardBy(open());
  const of = { project_id: "p1", agent_turn_id: "t" };
  const piece = { turn_epoch: 2, step_id: "s", seq: 7, round: 0, part: "text", offset: 3, is_over: false } as const;
  const rings: Ring[] = [
    { kind: "watch", ...of, wants_all: true },
    { kind: "watch", ...of, wants_all: false },
    { kind: "thinking", ...of, ...piece, text: "a | b\u0000 c" },
    // The longest that a worker makes of a text.
    { kind: "thinking", ...of, ...piece, seq: 8, text: "\u0001".repeat(1_000) },
    { kind: "lease", ...of },
  ];
  await open().ring(rings);
  await until(() => heard.length === rings.length);
  expect(heard).toEqual(rings);
});

test("what others say on the same channel is no ring", async () => {
  const doorbell = open();
  const heard = await heardBy(doorbell);
  for (const payload of [
    "",
    "x",
    "x|p1",
    "w|p1",
    "c|",
    "c|{",
    'c|{"kind":"journal"}',
    "l|p1",
    "v",
    "t|p1|{",
    't|p1|{"text":1}',
  ])
    await database.pool.query("SELECT pg_notify('switchyard', $1)", [payload]);
  await doorbell.ring([{ kind: "journal", project_id: "p1" }]);
  await until(() => heard.length > 0);
  expect(heard).toEqual([{ kind: "journal", project_id: "p1" }]);
});

test("a session that is cut is opened again, and says so meanwhile", async () => {
  const doorbell = open();
  const heard = await heardBy(doorbell);
  await until(() => doorbell.isConnected());
  await database.pool.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'switchyard-doorbell' AND datname = current_database()",
  );
  await until(() => !doorbell.isConnected());
  await until(() => doorbell.isConnected());
  await doorbell.ring([{ kind: "journal", project_id: "p1" }]);
  await until(() => heard.length > 0);
});

test("who listens and hears nothing finds out, says that it is deaf, and is mended", async () => {
  const relay = await startRelay({ port: Number(new URL(database.url).port) });
  onTestFinished(() => relay.close());
  const doorbell = createPgDoorbell({
    pool: database.pool,
    url: relay.through(database.url),
    proof: { everyMs: 50, withinMs: 300 },
  });
  onTestFinished(() => doorbell.close());
  const heard = await heardBy(doorbell);
  // Several proofs pass: they are nobody's ring.
  for (let i = 0; i < 20; i++) await database.pool.query("SELECT pg_sleep(0.02)");
  expect([doorbell.isConnected(), doorbell.isDeaf?.(), heard]).toEqual([true, false, []]);
  // The line goes dead without a word: nothing ends, nothing fails.
  relay.freeze("open");
  await until(() => doorbell.isDeaf?.());
  await until(() => doorbell.isConnected() && !doorbell.isDeaf?.());
  await doorbell.ring([{ kind: "journal", project_id: "p1" }]);
  await until(() => heard.length > 0);
});

test("a doorbell whose every connection froze is made anew on the next one", async () => {
  const relay = await startRelay({ port: Number(new URL(database.url).port) });
  onTestFinished(() => relay.close());
  const url = relay.through(database.url);
  const db = openDb(url, { name: "switchyard-test", statementMs: 300 });
  onTestFinished(() => db.close());
  const doorbell = createPgDoorbell({ pool: db.pool, url, proof: { everyMs: 50, withinMs: 200 } });
  onTestFinished(() => doorbell.close());
  const heard = await heardBy(doorbell);
  await db.pool.query("SELECT 1");
  relay.freeze("open");
  await until(async () => {
    await doorbell.ring([{ kind: "journal", project_id: "p1" }]);
    return heard.length > 0;
  });
});
