// Boxes may name a base: what was read of an older database is read after the migration too, and killed at the end it begins again.
import fs from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { migrate } from "@/server/migrate";
import { openTestDatabase } from "@/server/testing/database";
import { makeScratch, removeScratch } from "@/server/testing/scratch";

const ALL = "prisma/migrations";
const BASES = "20261212030000_boxes_by_reference";
const dir = makeScratch();
afterAll(() => removeScratch(dir));

/** Of the product's migrations, these; `more` is put behind the last one. */
function folderOf(names: string[], more = ""): string {
  const folder = fs.mkdtempSync(path.join(dir, "of_"));
  for (const name of names)
    if (fs.existsSync(`${ALL}/${name}/migration.sql`))
      fs.cpSync(`${ALL}/${name}`, path.join(folder, name), { recursive: true });
  if (more) fs.appendFileSync(path.join(folder, names.at(-1) ?? "", "migration.sql"), more);
  return folder;
}

test("chunks of boxes read the same, by the same roles, and a box may begin with another one", async () => {
  const own = await openTestDatabase({ isEmpty: true });
  await migrate(own.url, { folder: folderOf(fs.readdirSync(ALL).filter((name) => name < BASES)) });
  const read = async (more = "") =>
    (
      await own.pool.query(
        `SELECT box_id, n, start, card_ids, origins, tokens, has_untravelled FROM card_box_chunks ${more} ORDER BY 1, 2`,
      )
    ).rows;
  try {
    await own.pool.query(`
      INSERT INTO projects (project_id, title) VALUES ('p', 'p');
      INSERT INTO card_boxes (tenant_id, box_id, kind, length, token_sum, chunk_count, tail, tail_origins, tail_tokens, tail_untravelled) VALUES
        ('p', 'long', 'output', 66, 66, 1, '{c64,c65}', '[[2, "given"]]', 2, false), ('p', 'empty', 'output', 0, 0, 0, NULL, NULL, NULL, NULL);
      INSERT INTO box_chunks (tenant_id, box_id, n, start, card_ids, origins, tokens)
        SELECT 'p', 'long', 0, 0, ARRAY(SELECT 'c' || i FROM generate_series(0, 63) i), '[[64, "given"]]', 64;
      CREATE ROLE reader_of_bases; GRANT SELECT ON card_box_chunks TO reader_of_bases`);
    const before = await read();
    await expect(migrate(own.url, { folder: folderOf([BASES], "\nSELECT 1 / 0;") })).rejects.toThrow();
    expect(await read()).toEqual(before);
    await migrate(own.url, { folder: folderOf([BASES]) });
    expect(await read()).toEqual(before);
    await own.pool.query(
      `INSERT INTO card_boxes (tenant_id, box_id, kind, length, token_sum, base_box, base_len, chunk_count, tail, tail_origins, tail_tokens, tail_untravelled)
       VALUES ('p', 'heir', 'context', 66, 66, 'long', 65, 2, '{own}', '[[1, "arg"]]', 1, false)`,
    );
    const [first, second, last] = await read("WHERE tenant_id = 'p' AND box_id = 'heir'");
    expect(first).toEqual({ ...before[0], box_id: "heir", origins: [[64, "box:long"]] });
    expect(second).toMatchObject({
      n: 1,
      start: 64,
      card_ids: ["c64"],
      origins: [[1, "box:long"]],
      has_untravelled: false,
    });
    expect(last).toMatchObject({ n: 2, start: 65, card_ids: ["own"], origins: [[1, "arg"]], tokens: 1 });
    await own.pool.query("SET ROLE reader_of_bases; SELECT box_id FROM card_box_chunks; RESET ROLE");
  } finally {
    await own.pool.query("DROP OWNED BY reader_of_bases; DROP ROLE reader_of_bases");
    await own.close();
  }
});
