// A browser has signed in. Expired rows are deleted at the same time: nothing else has to.
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";

/** `life_s` in seconds from now. */
export type BeginSessionInput = { session_id: string; life_s: number };

/** This many browsers with one token are a program that signs in instead of sending it; the oldest sessions make room. */
const sessionsMax = 1_000;

export function beginSession(kernel: Kernel, { session_id, life_s }: BeginSessionInput): Promise<void> {
  return withUnit(kernel, async (unit) => {
    await unit.query(
      "session_room",
      `DELETE FROM state.sessions WHERE expires_at <= now() OR session_id IN
         (SELECT session_id FROM state.sessions ORDER BY created_at DESC, session_id OFFSET $1)`,
      [sessionsMax - 1],
    );
    await unit.query(
      "session_begin",
      "INSERT INTO state.sessions (session_id, expires_at) VALUES ($1, now() + make_interval(secs => $2))",
      [session_id, life_s],
    );
  });
}
