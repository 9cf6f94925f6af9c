// Whether a turn still has unread messages: it may not end before it has read them.
import { type Reader, read } from "../reader";

const OPEN = `
  SELECT EXISTS (
    SELECT 1 FROM state.inbox_messages WHERE project_id = $1 AND agent_turn_id = $2
      AND status IN ('pending', 'processing', 'deferred')
  ) AS is_open`;

/** The turn is its own message, and never counts. */
export async function hasOpenRows(
  reader: Reader,
  input: { project_id: string; agent_turn_id: string },
): Promise<boolean> {
  const [row] = await read<{ is_open: boolean }>(reader, "inbox_open", OPEN, [input.project_id, input.agent_turn_id]);
  return row?.is_open ?? false;
}
