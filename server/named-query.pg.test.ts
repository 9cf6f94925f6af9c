// Statements that have answered before are asked for without a description: the answers must be the driver's own, whatever happens between.
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectionConfig, LimitedClient, makeClient } from "./address";
import { openTestDatabase, type TestDatabase } from "./testing/database";

let db: TestDatabase;
let own: pg.Client;
let driver: pg.Client;

beforeAll(async () => {
  db = await openTestDatabase({ isEmpty: true });
  own = makeClient({ url: db.url, name: "own" });
  driver = new pg.Client(db.url);
  await Promise.all([own.connect(), driver.connect()]);
});
afterAll(async () => {
  await own.end();
  await driver.end();
  await db.close();
});

const VALUES = `SELECT $1::int AS n, $2::text AS word, $3::timestamptz AS at, $4::jsonb AS body, $5::text[] AS words, $6::bigint AS big,
  $7::numeric AS cost, NULL::text AS none, true AS is_it FROM generate_series(1, $1::int)`;
const values = [
  3,
  "wörd\n'",
  "2026-01-01T00:00:00Z",
  JSON.stringify({ a: [1, null] }),
  ["x", null, "y"],
  "9007199254740991",
  "0.5",
];
type Described = { describe: () => void };
const described = (client: pg.Client): (() => number) => {
  const { connection } = client as unknown as { connection: Described };
  const ask = connection.describe.bind(connection);
  let n = 0;
  connection.describe = (...given: []) => {
    n++;
    return ask(...given);
  };
  return () => n;
};

test("the answer is the driver's, at the first time and later, and only the first asks for a description", async () => {
  const asked = described(own);
  const expected = await driver.query(VALUES, values);
  for (let time = 0; time < 3; time++) {
    const answer = await own.query({ name: "values", text: VALUES, values });
    expect(answer.rows).toEqual(expected.rows);
    expect(Object.keys(answer.rows[0])).toEqual(Object.keys(expected.rows[0]));
    expect(answer.fields.map(({ name, dataTypeID }) => ({ name, dataTypeID }))).toEqual(
      expected.fields.map(({ name, dataTypeID }) => ({ name, dataTypeID })),
    );
    expect({ count: answer.rowCount, command: answer.command }).toEqual({ count: 3, command: "SELECT" });
  }
  expect(asked()).toBe(1);
  expect((await own.query({ name: "values", text: VALUES, values: [0, ...values.slice(1)] })).rows).toEqual([]);
});

test("values beside the statement, a callback, a statement without rows, and the next one after a refusal", async () => {
  const text = "SELECT $1::text AS word";
  for (const word of ["a", "b"]) expect((await own.query({ name: "word", text }, [word])).rows).toEqual([{ word }]);
  const answered = new Promise<pg.QueryResult>((done, failed) =>
    own.query({ name: "word", text, values: ["c"] }, (error: Error, result: pg.QueryResult) =>
      error ? failed(error) : done(result),
    ),
  );
  expect((await answered).rows).toEqual([{ word: "c" }]);
  await own.query("CREATE TABLE things (id int PRIMARY KEY, word text)");
  for (const id of [1, 2]) {
    const put = { name: "put", text: "INSERT INTO things VALUES ($1, 'x')", values: [id] };
    expect(await own.query(put)).toMatchObject({ rowCount: 1, rows: [] });
  }
  const again = own.query({ name: "put", text: "INSERT INTO things VALUES ($1, 'x')", values: [1] });
  await expect(again).rejects.toMatchObject({ code: "23505" });
  expect((await own.query({ name: "word", text, values: ["d"] })).rows).toEqual([{ word: "d" }]);
});

test("sent together: each gets its own rows, also behind one that fails in a transaction", async () => {
  const settings = { ...connectionConfig({ url: db.url, name: "pipelined" }), pipeline: true };
  const pipelined: pg.Client = new LimitedClient(settings);
  await pipelined.connect();
  const one = (n: number) =>
    pipelined.query({ name: "one", text: "SELECT 10 / $1::int AS tenth, $1::int AS n", values: [n] });
  const two = (word: string) => pipelined.query({ name: "two", text: "SELECT $1::text AS word", values: [word] });
  await one(1);
  await two("known");
  const answers = await Promise.all([one(5), two("a"), one(2), two("b")]);
  expect(answers.map(({ rows }) => rows)).toEqual([
    [{ tenth: 2, n: 5 }],
    [{ word: "a" }],
    [{ tenth: 5, n: 2 }],
    [{ word: "b" }],
  ]);
  await pipelined.query("BEGIN");
  const settled = await Promise.allSettled([one(1), one(0), two("c"), pipelined.query("ROLLBACK"), two("d")]);
  expect(settled.map((s) => (s.status === "fulfilled" ? s.value.rows : s.reason.code))).toEqual([
    [{ tenth: 10, n: 1 }],
    "22012",
    "25P02",
    [],
    [{ word: "d" }],
  ]);
  await pipelined.end();
});

test("answers are heard in the order of the statements, whether they have names or not", async () => {
  const settings = { ...connectionConfig({ url: db.url, name: "in-order" }), pipeline: true };
  const pipelined: pg.Client = new LimitedClient(settings);
  await pipelined.connect();
  for (let time = 0; time < 20; time++) {
    const heard: string[] = [];
    const unnamed = pipelined.query("SELECT 1 AS n").then(() => heard.push("unnamed"));
    const named = pipelined.query({ name: "n", text: "SELECT 2 AS n" }).then(() => heard.push("named"));
    await Promise.all([unnamed, named]);
    expect(heard).toEqual(["unnamed", "named"]);
  }
  await pipelined.end();
});

test("rows as lists and parsers of one's own are the driver's business, with a name too", async () => {
  const text = "SELECT 1 AS n";
  for (let time = 0; time < 2; time++) {
    expect((await own.query({ name: "list", text, rowMode: "array" })).rows).toEqual([[1]]);
    const types = { getTypeParser: () => () => "parsed" };
    expect((await own.query({ name: "list", text, types })).rows).toEqual([{ n: "parsed" }]);
    expect((await own.query({ name: "list", text })).rows).toEqual([{ n: 1 }]);
  }
});

test("rows that change their columns are refused by the server, and never read by the columns of before", async () => {
  await own.query("CREATE TABLE moving (a text, b text); INSERT INTO moving VALUES ('a', 'b')");
  const all = () => own.query({ name: "moving", text: "SELECT * FROM moving" });
  expect([(await all()).rows, (await all()).rows]).toEqual([[{ a: "a", b: "b" }], [{ a: "a", b: "b" }]]);
  await own.query("ALTER TABLE moving DROP COLUMN a");
  await expect(all()).rejects.toMatchObject({ code: "0A000" });
});

test("columns with names that no code may contain are read by the driver", async () => {
  for (let time = 0; time < 2; time++) {
    const text = `SELECT 1 AS "__proto__", 2 AS "a-b", 3 AS "}; throw 1; //", 4 AS n, 5 AS n`;
    expect((await own.query({ name: "odd", text })).rows).toEqual((await driver.query(text)).rows);
    const twice = "SELECT 4 AS n, 5 AS n, 6 AS class";
    expect((await own.query({ name: "twice", text: twice })).rows).toEqual((await driver.query(twice)).rows);
  }
});
