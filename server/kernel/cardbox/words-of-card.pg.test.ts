// Words are kept without their places; what is found is what the text itself says, also for phrases and for words that Postgres takes apart.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { search } from "../search/search";
import { withUnit } from "../unit";
import { indexCards } from "./index-cards";
import { insertCards } from "./insert-cards";
import { listCards } from "./list-cards";
import { matchesText } from "./words-of-card";

let kernel: TestKernel;
const project_id = "places";

const texts = [
  "please call read_file on the path",
  "to read a long file takes time",
  "the file was read by nobody",
  "a well-known fact",
  "known well enough",
  "the quick brown fox jumps",
  "brown and quick, said the fox",
  "see src/lib/words.ts for it",
  "mail to ann.lee@example.com today",
  "version 1.2.3 of the tool",
  "nothing of the kind",
  "read_file read_file read file",
];
const queries = [
  "read_file",
  "read file",
  '"read file"',
  '"read a long file"',
  "well-known",
  '"quick brown"',
  '"quick brown" -jumps',
  '-"quick brown"',
  'fox -"quick brown"',
  'fox -"quick brown fox"',
  '"brown and quick" or well-known',
  "read_file or fox",
  "-read_file file",
  '-read_file -"of the"',
  "src/lib/words.ts",
  "words.ts",
  "ann.lee@example.com",
  "1.2.3",
  "the",
  "-the",
  "''",
  "<->",
  "a<->b",
  "'a' <2> 'b'",
  '"a<->b"',
  '"quick brown" or -fox',
  "read_file or -fox",
  '-fox or "read a long"',
  '-"quick brown" or -"read file"',
  'fox or -"quick brown" -read_file',
];

async function fill(common: number): Promise<void> {
  await withUnit(kernel, (unit) =>
    insertCards(unit, {
      project_id,
      cards: texts.map((content, i) => ({ card_id: `w${i}`, type: "task.context", content, author_id: "ann" })),
    }),
  );
  // So many that a page is walked from the newest card on.
  await many(common, "many");
}

/** Every second one has the phrase "wide band", and all have its words. */
const many = (n: number, prefix: string) =>
  kernel.db.pool.query(
    `INSERT INTO cards (tenant_id, card_id, content, metadata, content_hash, token_count, created_at)
    SELECT $1, $3::text || '_' || i, jsonb_build_object('kind', 'text', 'text', CASE WHEN i % 2 = 0 THEN 'wide band' ELSE 'band so wide' END),
      '{"type": "task.context", "role": "user", "author_id": "ann"}', 'h', 1, now() - interval '5 minutes' FROM generate_series(1, $2::int) i`,
    [project_id, n, prefix],
  );

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, project_id, [{ name: "Boss" }]);
  await fill(4_200);
});
afterAll(() => kernel.close());

const byText = async (q: string): Promise<string[]> => {
  const { rows } = await kernel.db.pool.query<{ card_id: string }>(
    `SELECT c.card_id FROM cards c WHERE c.tenant_id = $1 AND c.card_id LIKE 'w%' AND ${matchesText("websearch_to_tsquery('simple', $2)")} ORDER BY 1`,
    [project_id, q],
  );
  return rows.map((row) => row.card_id);
};

async function listed(q: string): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined, rounds = 0; rounds < 90; rounds++) {
    const page = await listCards(kernel, { project_id, q, limit: 200, cursor });
    ids.push(...page.items.map((card) => card.card_id));
    cursor = page.next_cursor;
    if (!cursor) return ids;
  }
  return expect.fail("the pages do not end");
}

const found = async (q: string): Promise<string[]> => {
  const { groups } = await search(kernel, { project_id, q, kind: "card", limit: 100, facets: false });
  return groups.flatMap(({ items }) => items.map((item) => ("card_id" in item ? item.card_id : ""))).toSorted();
};
describe.each([
  ["before they are indexed", async () => undefined],
  [
    "from the index",
    async () => {
      while ((await indexCards(kernel, { limit: 2_000 })).indexed > 0);
    },
  ],
])("%s", (_when, prepare) => {
  beforeAll(prepare, 60_000);

  test("a list finds what the text says, whatever is asked", async () => {
    for (const q of queries) {
      const own = (await listed(q)).filter((id) => id.startsWith("w")).toSorted();
      expect(own, q).toEqual(await byText(q));
    }
  });

  test("a search for a word that is taken apart finds that word, and a phrase finds its letters", async () => {
    expect(await found("read_file")).toEqual(["w0", "w11"]);
    expect(await found("well-known")).toEqual(["w3"]);
    expect(await found('"quick brown"')).toEqual(["w5"]);
    expect(await found("file -read_file")).toEqual(["w1", "w2"]);
    expect(await found("src/lib/words.ts")).toEqual(["w7"]);
  });
});

test("a phrase is found where its words stand side by side, also when more cards have the words than are collected", async () => {
  expect(await listed('"wide band"')).toHaveLength(2_100);
  await many(18_000, "more");
  while ((await indexCards(kernel, { limit: 5_000 })).indexed > 0);
  const ids = await listed('"wide band"');
  expect(ids).toHaveLength(11_100);
  expect(ids).toEqual(expect.not.arrayContaining(["many_1", "more_1"]));
  expect(await listed('"band so wide" -"wide band"')).toHaveLength(11_100);
}, 60_000);

test("of long prose, a row of the index is smaller than its card; of a log full of ids it is two thirds of what it was with places", async () => {
  const log = Array.from(
    { length: 300 },
    (_, i) => `step ${i} wrote ${(i * 2654435761).toString(16)} to node-${i % 17}.local`,
  );
  await withUnit(kernel, (unit) =>
    insertCards(unit, {
      project_id,
      cards: [
        { card_id: "log", type: "tool.result", content: log.join("\n"), author_id: "ann" },
        { card_id: "prose", type: "task.context", content: prose.repeat(3), author_id: "ann" },
      ],
    }),
  );
  await indexCards(kernel);
  const { rows } = await kernel.db.pool.query<{ card_id: string; card: number; words: number; placed: number }>(
    `SELECT c.card_id, pg_column_size(c.*) AS card, pg_column_size(s.*) AS words,
      pg_column_size(to_tsvector('simple', c.content ->> 'text')) AS placed
    FROM cards c JOIN card_search s ON s.tenant_id = c.tenant_id AND s.card_id = c.card_id
    WHERE c.tenant_id = $1 AND c.card_id IN ('log', 'prose') ORDER BY c.card_id`,
    [project_id],
  );
  const [ofLog, ofProse] = rows;
  expect(ofProse?.words).toBeLessThanOrEqual(ofProse?.card ?? 0);
  expect(ofLog?.words).toBeLessThan(0.67 * (ofLog?.placed ?? 0));
  const { rows: placed } = await kernel.db.pool.query("SELECT 1 FROM card_search s WHERE s.body::text LIKE '%:%'");
  expect(placed).toEqual([]);
});

const prose = `The crew checks each wagon before the train leaves the yard. Where a coupling is worn, the wagon stays behind and a note
says why. Whoever reads the note later can follow it back to the hand that wrote it. Nothing is thrown away without a mark: a lost parcel
has a line of its own, with the place where it was last seen. `;
