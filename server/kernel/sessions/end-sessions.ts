// Signing out, here or everywhere: from now on a copied cookie is worthless.
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";

/** Without an id: all of them. */
export type EndSessionsInput = { session_id: string | null };

export function endSessions(kernel: Kernel, { session_id }: EndSessionsInput): Promise<void> {
  return withUnit(kernel, async (unit) => {
    await unit.query("session_end", "DELETE FROM state.sessions WHERE $1::text IS NULL OR session_id = $1", [
      session_id,
    ]);
  });
}
