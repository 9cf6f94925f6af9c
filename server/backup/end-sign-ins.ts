// A backup contains the sessions of its time. Someone who signed out since then, perhaps because a cookie was stolen, was
// signed in again by the restore.
import type pg from "pg";

/** Everybody signs in again. A backup from before sessions existed has none to end. */
export async function endSignIns(client: pg.Client): Promise<void> {
  const { rows } = await client.query("SELECT to_regclass('state.sessions') AS name");
  if (rows[0]?.name) await client.query("DELETE FROM state.sessions");
}
