// A backup holds who was signed in when it was made. Whoever signed out since then, because a cookie was stolen maybe, was
// signed in again by its restore.
import type pg from "pg";

/** Everybody signs in again. A backup of before there were sessions has none to end. */
export async function endSignIns(client: pg.Client): Promise<void> {
  const { rows } = await client.query("SELECT to_regclass('state.sessions') AS name");
  if (rows[0]?.name) await client.query("DELETE FROM state.sessions");
}
