// Boxes keep their tails: what was read of an older database is read after the migration too.
import fs from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { migrate } from "@/server/migrate";
import { openTestDatabase } from "@/server/testing/database";
import { makeScratch, removeScratch } from "@/server/testing/scratch";

const ALL = "prisma/migrations";
const dir = makeScratch();
afterAll(() => removeScratch(dir));

/** Of the product's migrations, these. */
function folderOf(names: string[]): string {
  const folder = fs.mkdtempSync(path.join(dir, "of_"));
  for (const name of names)
    if (fs.existsSync(`${ALL}/${name}/migration.sql`))
      fs.cpSync(`${ALL}/${name}`, path.join(folder, name), { recursive: true });
  return folder;
}

const TAILS = "20261211010000_boxes_keep_their_tail";

test("chunks of boxes read the same when the last ones are in their boxes' rows, and each card leads to its boxes", async () => {
  const own = await openTestDatabase({ isEmpty: true });
  await migrate(own.url, { folder: folderOf(fs.readdirSync(ALL).filter((name) => name < TAILS)) });
  const ids = (from: number, n: number) => `ARRAY(SELECT 'c' || i FROM generate_series(${from}, ${from + n - 1}) i)`;
  const chunk = (box: string, n: number, start: number, size: number) =>
    `('p', '${box}', ${n}, ${start}, ${ids(start, size)}, '[[${size}, "given"]]', ${size}, ${n === 1})`;
  try {
    await own.pool.query(`
      INSERT INTO projects (project_id, title) VALUES ('p', 'p'), ('none', 'none');
      INSERT INTO card_boxes (tenant_id, box_id, kind, length) VALUES ('p', 'empty', 'output', 0), ('p', 'small', 'output', 3),
        ('p', 'full', 'output', 64), ('p', 'long', 'context', 70), ('p', 'odd', 'plain', 9);
      INSERT INTO card_box_chunks (tenant_id, box_id, n, start, card_ids, origins, tokens, has_untravelled) VALUES
        ${chunk("small", 0, 0, 3)}, ${chunk("full", 0, 0, 64)}, ${chunk("long", 0, 0, 64)}, ${chunk("long", 1, 64, 6)}, ${chunk("odd", 0, 0, 5)};
      CREATE ROLE reader_of_chunks; GRANT SELECT ON card_box_chunks TO reader_of_chunks`);
    const look =
      "SELECT box_id, n, start, card_ids, origins, tokens, has_untravelled FROM card_box_chunks ORDER BY 1, 2";
    const before = (await own.pool.query(look)).rows;
    await migrate(own.url, { folder: folderOf([TAILS]) });
    expect((await own.pool.query(look)).rows).toEqual(before);
    const { rows } = await own.pool.query(
      `SELECT b.box_id, b.chunk_count, cardinality(b.tail) AS tail, b.tail = b.carried AS is_carried, array_agg(k.n) FILTER (WHERE k.n >= 0) AS chunks
       FROM card_boxes b LEFT JOIN box_chunks k USING (tenant_id, box_id) GROUP BY b.tenant_id, b.box_id ORDER BY 1`,
    );
    expect(rows).toEqual([
      { box_id: "empty", chunk_count: 0, tail: null, is_carried: null, chunks: null },
      { box_id: "full", chunk_count: 0, tail: 64, is_carried: true, chunks: null },
      { box_id: "long", chunk_count: 1, tail: 6, is_carried: true, chunks: [0] },
      { box_id: "odd", chunk_count: 1, tail: null, is_carried: null, chunks: [0] },
      { box_id: "small", chunk_count: 0, tail: 3, is_carried: true, chunks: null },
    ]);
    await own.pool.query(
      "SET ROLE reader_of_chunks; SELECT box_id FROM card_box_chunks; SELECT box_id FROM box_chunks; RESET ROLE",
    );
  } finally {
    await own.pool.query("DROP OWNED BY reader_of_chunks; DROP ROLE reader_of_chunks");
    await own.close();
  }
});
