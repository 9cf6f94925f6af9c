// Whether nobody has signed this session out; asked by server/access/live-sessions.ts, which keeps the answer for a second.
import type { Kernel } from "../kernel";

/** Throws what the database throws. */
export async function isSessionLive({ db }: Kernel, { session_id }: { session_id: string }): Promise<boolean> {
  const { rows } = await db.pool.query<{ is_live: boolean }>({
    name: "session_live",
    text: "SELECT EXISTS (SELECT 1 FROM state.sessions WHERE session_id = $1 AND expires_at > now()) AS is_live",
    values: [session_id],
  });
  return rows[0]?.is_live === true;
}
