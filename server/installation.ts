// Is this still the same database? Cursors contain transaction ids, and these mean something else on another server (a failover, a
// restored dump). After a crash Postgres gives ids again that had reached no disk. Each new connection compares, and the first that sees a
// difference begins a new generation before anything is read from it. After a crash, a connection that may not write goes on with the old
// generation, and the next one that may write begins the new one.
import type pg from "pg";
import { log } from "@/server/log";

/** Begins a new generation if the server is not the one on record. Throws 25006 for a standby, which cannot be written to. */
export async function noteServer(client: pg.ClientBase): Promise<void> {
  const look = await lookAt(client);
  if (look === null) return;
  if (look.is_standby) throw Object.assign(new Error("the server is a standby and cannot be written to"), standby);
  if (look.is_known && look.is_same_life !== false) return;
  const began = look.is_known ? await noteLifeIfWritable(client, look) : await recordServer(client, look);
  if (began && began.reason !== "new")
    log().warn(began, `${WHY[began.reason]}; live views start again from a snapshot`);
}

type Look = {
  is_standby: boolean;
  system_identifier: string | null;
  timeline: string | null;
  is_known: boolean;
  /** Null if the column is not there yet, or the table has no row. */
  is_same_life: boolean | null;
};
type Generation = { generation: string; reason: "new" | "promoted" | "restored" | "crashed" };

const WHY = {
  promoted: "this is another database than before",
  restored: "this is another database than before",
  crashed: "the database has recovered from a crash",
};

const standby = { code: "25006" };

// The table does not exist before the first migration; a managed server may hide its control data.
async function lookAt(client: pg.ClientBase): Promise<Look | null> {
  for (const system of ["(SELECT system_identifier FROM pg_control_system())", "NULL::bigint"]) {
    try {
      return (await client.query<Look>(lookSql(system))).rows[0] ?? null;
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === "42P01") return null;
      if (code !== "42501" || system.startsWith("NULL")) throw error;
    }
  }
  return null;
}

/** Statistics begin again with the recovery from a crash and survive an orderly restart. Any role may read when they began. */
export const LIFE = "pg_stat_get_bgwriter_stat_reset_time()";

const lookSql = (system: string): string => `
  SELECT s.is_standby, s.system_identifier::text AS system_identifier, s.timeline,
    coalesce(i.system_identifier IS NOT DISTINCT FROM s.system_identifier AND i.timeline = s.timeline, false) AS is_known,
    CASE WHEN to_jsonb(i) ? 'life' THEN (to_jsonb(i) ->> 'life')::timestamptz IS NOT DISTINCT FROM ${LIFE} END AS is_same_life
  FROM (
    SELECT r.is_standby, ${system} AS system_identifier,
      CASE WHEN NOT r.is_standby THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline
    FROM (SELECT pg_is_in_recovery() AS is_standby) r
  ) s LEFT JOIN state.installation i ON true`;

// By compare-and-set: of many connections that see it at once one begins the generation, and the others wait for its row.
// The number of the last pack comes from the sequence: no index has it first.
const BEGIN_GENERATION = `
  WITH here AS (
    SELECT $1::bigint AS system_identifier, $2::text AS timeline, extract(epoch FROM clock_timestamp())::bigint AS clock,
      coalesce(pg_sequence_last_value(coalesce(pg_get_serial_sequence('state.journal_packs', 'pack_id'), 'state.journal_pack_id')::regclass), 0)
        AS last_pack
  )
  INSERT INTO state.installation AS i (system_identifier, timeline, generation, reason, journal_from)
  SELECT system_identifier, timeline, clock, 'new', last_pack FROM here
  ON CONFLICT (is_one) DO UPDATE SET
    system_identifier = excluded.system_identifier, timeline = excluded.timeline,
    generation = greatest(i.generation + 1, excluded.generation), began_at = now(),
    reason = CASE WHEN i.system_identifier IS NOT DISTINCT FROM excluded.system_identifier THEN 'promoted' ELSE 'restored' END,
    journal_from = CASE WHEN i.system_identifier IS NOT DISTINCT FROM excluded.system_identifier THEN i.journal_from
      ELSE excluded.journal_from END
  WHERE (i.system_identifier, i.timeline) IS DISTINCT FROM (excluded.system_identifier, excluded.timeline)
  RETURNING i.generation::text AS generation, i.reason`;

// After a crash it is the same database, so `reason` and `began_at` stay. Only cursors of before end. BEGIN_GENERATION has locked the row.
const NOTE_LIFE = `
  UPDATE state.installation i SET life = ${LIFE},
    generation = CASE WHEN $1::boolean OR i.life IS NULL THEN i.generation
      ELSE greatest(i.generation + 1, extract(epoch FROM clock_timestamp())::bigint) END
  FROM state.installation before
  WHERE i.life IS DISTINCT FROM ${LIFE}
  RETURNING i.generation::text AS generation, i.generation > before.generation AS is_new`;

/** Of the same server, which is in another life or has not been asked for it yet. */
async function noteLifeIfWritable(client: pg.ClientBase, look: Look): Promise<Generation | null> {
  try {
    return await recordServer(client, look);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== "25006" && code !== "42501") throw error;
    log().warn(
      { error: String(error) },
      "cannot write state.installation, so a crash of the database cannot be noted: open pages may miss changes made right after one. Let one process connect that may write",
    );
    return null;
  }
}

async function recordServer(client: pg.ClientBase, look: Look): Promise<Generation | null> {
  await client.query("BEGIN");
  try {
    const { rows } = await client.query<Generation>(BEGIN_GENERATION, [look.system_identifier, look.timeline]);
    const began = rows[0];
    // Transaction ids of another server: everything recorded about them is void.
    if (began && began.reason !== "promoted") {
      await client.query("DELETE FROM state.journal_floor");
      await client.query(PARTS_ANEW);
      // A dump was loaded: someone who signed out after it was made would be signed in again.
      if (began.reason === "restored") await client.query("DELETE FROM state.sessions");
    }
    const crashed = look.is_same_life === null ? null : await noteLife(client, began !== undefined);
    await client.query("COMMIT");
    return began ?? crashed;
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}

async function noteLife(client: pg.ClientBase, isOfNewGeneration: boolean): Promise<Generation | null> {
  const { rows } = await client.query<{ generation: string; is_new: boolean }>(NOTE_LIFE, [isOfNewGeneration]);
  const [noted] = rows;
  return noted?.is_new ? { generation: noted.generation, reason: "crashed" } : null;
}

// A journal that docs/journal-partitions.sql has cut is bounded by the ids of the server before: a smaller one fits no part,
// and nothing could be written any more. The parts of before are set aside, whole, and a new one takes what comes.
const PARTS_ANEW = `DO $$
DECLARE old record;
BEGIN
  IF to_regclass('state.journal_parts') IS NULL THEN RETURN; END IF;
  IF NOT EXISTS (SELECT FROM state.journal_parts WHERE from_xid > pg_current_xact_id()) THEN RETURN; END IF;
  FOR old IN SELECT part FROM state.journal_parts ORDER BY part LOOP
    EXECUTE format('ALTER TABLE state.journal_packs DETACH PARTITION state.journal_packs_%s', old.part);
    EXECUTE format('ALTER TABLE state.journal_packs_%s RENAME TO journal_before_%s_%s', old.part, extract(epoch FROM now())::bigint, old.part);
  END LOOP;
  WITH gone AS (DELETE FROM state.journal_parts RETURNING part)
  INSERT INTO state.journal_parts (part) SELECT max(part) + 1 FROM gone;
  EXECUTE format('CREATE TABLE state.journal_packs_%s PARTITION OF state.journal_packs FOR VALUES FROM (MINVALUE) TO (MAXVALUE)',
    (SELECT part FROM state.journal_parts));
END $$`;
