// What a worker of another language takes on: claimed rows, each with its turn and boxes, so that it can begin without
// asking again.
import type { TurnFrame } from "@/server/contract/frame";
import type { ClaimedWork } from "@/server/contract/work";
import { claimInbox } from "../inbox/claim-inbox";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { type TurnRow, turnFrame } from "./turn-row";

export type ClaimWorkInput = { project_id: string; worker_target: string; worker_id: string; limit: number };

const READ = `
  SELECT to_jsonb(t) AS turn, i.inbox_id, i.message_type, i.correlation_id, i.agent_id, i.agent_turn_id, i.turn_epoch,
    i.worker_target, i.attempt, i.retry_count, i.defer_reason, i.context_headers, i.payload, i.created_at
  FROM unnest($2::text[]) WITH ORDINALITY AS c(inbox_id, place)
  JOIN state.agent_inbox i ON i.project_id = $1 AND i.inbox_id = c.inbox_id
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
