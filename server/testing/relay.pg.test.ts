// The relay behaves as tests of a lost network rely on.
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestDatabase, type TestDatabase } from "./database";
import { type Relay, startRelay } from "./relay";

let database: TestDatabase;
let relay: Relay;

beforeAll(async () => {
  database = await openTestDatabase();
  relay = await startRelay({ port: Number(new URL(database.url).port) });
  await database.pool.query("CREATE TABLE relayed (n int)");
});
afterAll(async () => {
  await relay.close();
  await database.close();
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(relay.through(database.url));
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

const count = async () => (await database.pool.query("SELECT count(*)::int AS n FROM relayed")).rows[0].n;

test("it passes on, and a cut resets what is open", async () => {
  const client = await connect();
  expect((await client.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  expect(relay.cut()).toBe(1);
  await expect(client.query("SELECT 1")).rejects.toThrow();
});

test("frozen, an open connection neither answers nor ends, and a new one works; thawed, the answer comes", async () => {
  const client = await connect();
  relay.freeze("open");
  let isAnswered = false;
  const answer = client.query("INSERT INTO relayed VALUES (1)").then(() => {
    isAnswered = true;
  });
  const other = await connect();
  for (let i = 0; i < 20; i++) await other.query("SELECT 1");
  expect([isAnswered, await count()]).toEqual([false, 0]);
  relay.thaw();
  await answer;
  expect(await count()).toBe(1);
  await Promise.all([client.end(), other.end()]);
});

test.for([
  ["answer", 2],
  ["request", 2],
] as const)("the %s of a COMMIT is lost, with its connection", async ([part, after]) => {
  const client = await connect();
  relay.loseCommits(1, part);
  const before = relay.lost();
  await client.query("BEGIN; INSERT INTO relayed VALUES (2)");
  await expect(client.query("COMMIT")).rejects.toThrow();
  expect(relay.lost()).toBe(before + 1);
  expect(await count()).toBe(after);
});
