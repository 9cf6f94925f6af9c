// The row that a worker has claimed and now acts on, locked. A turn's row is not a message: it is started.
import { KernelError } from "@/server/contract/errors";
import type { Unit } from "../unit";
import type { ClaimedRow } from "./claim-inbox";
import { readInboxRow } from "./read-row";

export type ClaimedMessage = Pick<ClaimedRow, "agent_id" | "message_type" | "agent_turn_id" | "turn_epoch"> & {
  status: "processing" | "consumed";
  retry_count: number;
};

type Row = Omit<ClaimedMessage, "status"> & { status: string; claimed_by: string | null };

const FIND = `
  SELECT agent_id, message_type, agent_turn_id, turn_epoch, status, retry_count, claimed_by
  FROM state.inbox_messages WHERE project_id = $1 AND inbox_id = $2 FOR UPDATE`;

/** not_found; bad_request for a turn's row; conflict if the row is not claimed, or is claimed by another worker. */
export async function findClaimed(
  unit: Unit,
  input: { project_id: string; inbox_id: string; worker_id?: string },
): Promise<ClaimedMessage> {
  const { project_id, inbox_id, worker_id } = input;
  const [row] = await unit.query<Row>("inbox_find_claimed", FIND, [project_id, inbox_id]);
  const found = row ?? (await readInboxRow(unit, { project_id, inbox_id }));
  if (!row || row.message_type === "turn")
    throw new KernelError(
      "bad_request",
      `inbox row ${inbox_id} is a turn: start turn ${found.agent_turn_id} to consume it, or leave it, and it will be handed out again`,
    );
  const { claimed_by, status, ...message } = row;
  if (status === "consumed") return { ...message, status };
  if (status !== "processing")
    throw new KernelError("conflict", `inbox row ${inbox_id} is ${status}, not claimed; claim it first`);
  if (worker_id !== undefined && claimed_by !== worker_id)
    throw new KernelError(
      "conflict",
      `inbox row ${inbox_id} was claimed by ${claimed_by ?? "nobody"}; only that worker may change it`,
    );
  return { ...message, status };
}
