// Marks a claimed message as done. A result that a turn still waits for is consumed by its resume instead: acknowledged here,
// it would be lost and the turn would wait forever.
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import { type ClaimedMessage, findClaimed } from "./find-claimed";

export type AckInput = { project_id: string; inbox_id: string; worker_id?: string };

const IS_AWAITED = `
  SELECT EXISTS (
    SELECT 1 FROM state.agent_turns t
    WHERE t.project_id = $1 AND t.agent_turn_id = $2 AND t.turn_epoch = $3 AND t.status = 'suspended'
  ) AS is_awaited`;

const CONSUME = `
  UPDATE state.inbox_messages SET status = 'consumed', archived_at = now()
  WHERE project_id = $1 AND inbox_id = $2 AND status = 'processing'`;

/** A row that is already consumed can be acknowledged again. conflict if it is not claimed, or a turn waits for it. */
export async function ackRow(kernel: Kernel, input: AckInput): Promise<{ inbox_id: string; status: "consumed" }> {
  const { project_id, inbox_id } = input;
  return withUnit(kernel, async (unit) => {
    const row = await findClaimed(unit, input);
    if (row.status === "consumed") return { inbox_id, status: "consumed" };
    if (isResult(row)) {
      const [head] = await unit.query<{ is_awaited: boolean }>("inbox_is_awaited", IS_AWAITED, [
        project_id,
        row.agent_turn_id,
        row.turn_epoch,
      ]);
      if (head?.is_awaited)
        throw new KernelError(
          "conflict",
          `turn ${row.agent_turn_id} waits for this ${row.message_type}; resume it with the row, or defer the row`,
          { agent_turn_id: row.agent_turn_id },
        );
    }
    await unit.query("inbox_ack", CONSUME, [project_id, inbox_id]);
    return { inbox_id, status: "consumed" };
  });
}

const isResult = ({ message_type }: ClaimedMessage) => message_type === "tool_result" || message_type === "timeout";
