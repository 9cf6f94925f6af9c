// No statement says "all columns" of a table. Two versions run side by side for the length of a deployment: when the newer one
// adds a column, a prepared statement with a star fails in the older one ("cached plan must not change result type"), and its
// frames and pages are handed a column that they do not know.
import { describe, expect, test } from "vitest";
import { starsOf } from "@/server/testing/sql-stars";
import { readSqlTexts } from "@/server/testing/sql-texts";

const texts = readSqlTexts();

test("every statement names the columns it reads", async () => {
  const found: string[] = [];
  let parsed = 0;
  for (const { name, texts: ways } of texts) {
    for (const text of ways) {
      const stars = await starsOf(text).catch(() => null);
      if (!stars) continue;
      parsed++;
      found.push(...stars.map((star) => `${name}: ${star}`));
      break;
    }
  }
  expect(parsed).toBeGreaterThan(300);
  expect([...new Set(found)]).toEqual([]);
});

describe("what the check sees", () => {
  test.each([
    ["a bare star", "SELECT * FROM cards", ["* of cards"]],
    ["a star with an alias", "SELECT t.* FROM state.agent_turns t", ["t.* of state.agent_turns"]],
    ["a star beside named columns", "SELECT x, * FROM state.runs", ["* of state.runs"]],
    ["a join", "SELECT * FROM cards c JOIN state.runs r ON true", ["* of cards", "* of state.runs"]],
    ["what a change gives back", "UPDATE state.runs SET rev = 1 RETURNING *", ["* of state.runs"]],
    ["what an insert gives back", "INSERT INTO cards (a) VALUES (1) RETURNING *", ["* of cards"]],
    ["what is deleted", "DELETE FROM cards c USING state.runs r RETURNING c.*", ["c.* of cards"]],
    ["a subselect", "SELECT c.a FROM (SELECT * FROM cards) c", ["* of cards"]],
    ["a common table expression", "WITH c AS (SELECT * FROM cards) SELECT * FROM c", ["* of cards"]],
    ["half of a union", "SELECT a FROM cards UNION ALL SELECT * FROM cards", ["* of cards"]],
    ["a row of the query around it", "SELECT (SELECT x FROM (SELECT t.*) x) FROM state.runs t", ["t.* of state.runs"]],
    ["a lateral", "SELECT 1 FROM cards c CROSS JOIN LATERAL (SELECT * FROM state.runs) r", ["* of state.runs"]],
  ])("%s", async (_what, text, stars) => expect(await starsOf(text)).toEqual(stars));

  test.each([
    ["a count", "SELECT count(*) FROM cards"],
    ["a count of a table", "SELECT count(c.*) FROM cards c"],
    ["named rows of JSON", "SELECT g.*, r.a FROM jsonb_to_recordset($1) AS g(a text), state.runs r"],
    ["a subselect with names", "SELECT * FROM (SELECT a FROM cards) c"],
    [
      "a common table expression with names",
      "WITH c AS (SELECT a FROM cards) SELECT c.*, r.b FROM c JOIN state.runs r ON true",
    ],
    ["a product", "SELECT a * b FROM cards"],
  ])("lets pass: %s", async (_what, text) => expect(await starsOf(text)).toEqual([]));
});
