// What a worker of another language takes on: claimed rows, each with its turn and boxes, so that it can begin without
// asking again.
import type { TurnFrame } from "@/server/contract/frame";
import type { ClaimedWork } from "@/server/contract/work";
import { columnsOf } from "../columns";
import { claimInbox } from "../inbox/claim-inbox";
import { turnIdSql } from "../inbox/turn-message";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { type TurnRow, turnFrame } from "./turn-row";

export type ClaimWorkInput = { project_id: string; worker_target: string; worker_id: string; limit: number };

const MESSAGE_COLUMNS = [
  "inbox_id",
  "message_type",
  "correlation_id",
  "agent_id",
  "agent_turn_id",
  "turn_epoch",
  "worker_target",
  "attempt",
  "retry_count",
  "defer_reason",
  "context_headers",
  "payload",
  "created_at",
];
const READ = `
  SELECT to_jsonb(t) AS turn, ${columnsOf(MESSAGE_COLUMNS, "i")}
  FROM unnest($2::text[]) WITH ORDINALITY AS c(inbox_id, place)
  CROSS JOIN LATERAL (
    SELECT ${columnsOf(MESSAGE_COLUMNS, "m")} FROM state.inbox_messages m WHERE m.project_id = $1 AND m.inbox_id = c.inbox_id
    UNION ALL
    SELECT ${columnsOf(MESSAGE_COLUMNS, "m")} FROM state.turn_messages m WHERE m.project_id = $1 AND m.agent_turn_id = ${turnIdSql("c.inbox_id")}
      AND m.inbox_id = c.inbox_id
    LIMIT 1
  ) i
  JOIN state.agent_turns t ON t.project_id = $1 AND t.agent_turn_id = i.agent_turn_id
  ORDER BY c.place`;

type Row = Omit<ClaimedWork["inbox"], "defer_reason"> & { turn: TurnRow; defer_reason: string | null };

/** Oldest due first; an empty answer is the usual one. */
export async function claimWork(kernel: Kernel, input: ClaimWorkInput): Promise<ClaimedWork[]> {
  const { project_id, worker_target, worker_id, limit } = input;
  const claimed = await claimInbox(kernel, { project_id, worker_targets: [worker_target], worker_id, limit });
  if (claimed.length === 0) return [];
  const ids = claimed.map((row) => row.inbox_id);
  const rows = await read<Row>(kernel, "work_read", READ, [project_id, ids]);
  return rows.map(({ turn, defer_reason, ...inbox }) => {
    const frame = turnFrame(turn);
    return {
      inbox: { ...inbox, ...(defer_reason !== null && { defer_reason }) },
      turn: frame,
      epoch: inbox.turn_epoch,
      boxes: boxesOf(frame),
    };
  });
}

const boxesOf = ({ profile_box_id, context_box_id, output_box_id }: TurnFrame) => ({
  profile_box_id,
  context_box_id,
  ...(output_box_id !== undefined && { output_box_id }),
});
