// Boxes may name a base: what was read of an older database is read after the migration too, and killed at the end it begins again.
// What an older program had begun to delete goes on in phases that it does not know.
import fs from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { migrate } from "@/server/migrate";
import { openTestDatabase } from "@/server/testing/database";
import { makeScratch, removeScratch } from "@/server/testing/scratch";

const ALL = "prisma/migrations";
const KEYS = "20261212020000_keys_without_locks";
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
      INSERT INTO state.deletions (project_id, deletion_id, kind, subject_id, deleted_by, phase)
        SELECT 'p', 'del_' || x, 'run', x, 'ann', x FROM unnest('{close,settle,purge,erase}'::text[]) x;
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
    const { rows: phases } = await own.pool.query("SELECT subject_id, phase FROM state.deletions ORDER BY 1");
    expect(phases.map((row) => [row.subject_id, row.phase])).toEqual([
      ["close", "close"],
      ["erase", "erase"],
      ["purge", "lay"],
      ["settle", "settle"],
    ]);
    // As an older program would go on.
    const old = own.pool.query("UPDATE state.deletions SET phase = 'purge' WHERE subject_id = 'settle'");
    await expect(old).rejects.toThrow("deletions_phase_check");
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

test("messages of turns that are gone go; those of turns that are there, and other messages, stay", async () => {
  const own = await openTestDatabase({ isEmpty: true });
  try {
    await migrate(own.url, { folder: folderOf(fs.readdirSync(ALL).filter((name) => name < KEYS)) });
    // Without asking for each row whether what it refers to is there.
    await own.pool.query(`SET session_replication_role = replica; INSERT INTO projects (project_id, title) VALUES ('p', 'P'), ('q', 'Q');
      INSERT INTO state.agent_turns (project_id, agent_turn_id, agent_id, root_turn_id, primitive, trace_id, profile_box_id, profile_name,
        worker_target, context_box_id, headcode, title, depth, status, turn_epoch, ended_at, output_box_id, deliverable_card_id)
        VALUES ('p', 'turn_a', 'agent_a', 'turn_a', 'delegate_async', 'x', 'b', 'P', 'w', 'b', '1P01', 't', 0, 'success', 2, now(), 'b', 'c');
      INSERT INTO state.inbox_messages (project_id, inbox_id, agent_id, message_type, correlation_id, agent_turn_id, worker_target, status)
        SELECT project_id, inbox_id, 'agent_a', message_type, correlation_id, agent_turn_id, 'w', 'consumed' FROM (VALUES
          ('p', 'there', 'turn', 'turn_a', 'turn_a'), ('p', 'again', 'turn', 'turn_a.2', 'turn_a'), ('q', 'elsewhere', 'turn', 'turn_a', 'turn_a'),
          ('p', 'left', 'turn', 'turn_b.1', 'turn_b'), ('p', 'result', 'tool_result', 'call', 'turn_b')
        ) AS m(project_id, inbox_id, message_type, correlation_id, agent_turn_id)`);
    await migrate(own.url, { folder: folderOf([KEYS]) });
    const { rows } = await own.pool.query("SELECT inbox_id FROM state.inbox_messages ORDER BY 1");
    expect(rows.map((row) => row.inbox_id)).toEqual(["again", "result", "there"]);
  } finally {
    await own.close();
  }
});
