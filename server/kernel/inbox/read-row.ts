// One inbox row by its id: a message, or a turn that is one.
import { KernelError } from "@/server/contract/errors";
import { type Reader, read } from "../reader";
import type { ClaimedRow } from "./claim-inbox";
import { turnIdSql } from "./turn-message";

export type InboxRow = Pick<ClaimedRow, "inbox_id" | "agent_id" | "message_type" | "agent_turn_id" | "turn_epoch"> & {
  status: string;
  claimed_by: string | null;
};

const READ = `
  SELECT inbox_id, agent_id, message_type, agent_turn_id, turn_epoch, status, claimed_by
  FROM state.inbox_messages WHERE project_id = $1 AND inbox_id = $2
  UNION ALL
  SELECT inbox_id, agent_id, message_type, agent_turn_id, turn_epoch, status, claimed_by
  FROM state.turn_messages WHERE project_id = $1 AND agent_turn_id = ${turnIdSql("$2")} AND inbox_id = $2
  LIMIT 1`;

/** not_found for an unknown row, and also for one of another project. */
export async function readInboxRow(reader: Reader, input: { project_id: string; inbox_id: string }): Promise<InboxRow> {
  const { project_id, inbox_id } = input;
  const [row] = await read<InboxRow>(reader, "inbox_read_row", READ, [project_id, inbox_id]);
  if (!row) throw new KernelError("not_found", `inbox row ${inbox_id} not found in project ${project_id}`);
  return row;
}
