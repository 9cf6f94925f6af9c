// The branches of a fork as they were given: of one that had a turn from that turn, of one that was held back from what its turn
// would have been made of.
import { type Reader, read } from "../reader";
import type { Performer } from "./start-again";

export type RecordedBranch = Omit<Performer, "display_name"> & {
  attempts_max: number;
  title: string;
  display_name: string | null;
  context_box_id: string;
  instruction_card_id: string | null;
  /** Of its newest attempt; null = it was held back. */
  agent_turn_id: string | null;
  /** Where an agent that was used again had written before; null = nowhere. */
  output_box_id: string | null;
  output_start: number | null;
};

type Held = Omit<
  RecordedBranch,
  "agent_turn_id" | "attempts_max" | "tags" | "display_name" | "output_box_id" | "output_start"
>;
type Row = Omit<RecordedBranch, "worker_target"> & { worker_target: string | null; held: Held | null };

const BRANCHES = `
  SELECT k.agent_turn_id, k.attempts_max, k.metadata -> 'turn' AS held, a.tags, a.display_name, t.profile_box_id, t.profile_name, t.worker_target,
    t.needs_own_worker, t.window_tokens, t.title, t.context_box_id, t.instruction_card_id, t.output_box_id,
    t.output_start::int AS output_start
  FROM state.pmo_batch_tasks k
  JOIN resource.project_agents a ON a.project_id = k.project_id AND a.agent_id = k.agent_id
  LEFT JOIN state.agent_turns t ON t.project_id = k.project_id AND t.agent_turn_id = k.agent_turn_id
  WHERE k.project_id = $1 AND k.batch_id = $2 ORDER BY k.task_index`;

/** In task order. */
export async function readBranches(
  reader: Reader,
  { project_id, batch_id }: { project_id: string; batch_id: string },
): Promise<RecordedBranch[]> {
  const rows = await read<Row>(reader, "rerun_branches", BRANCHES, [project_id, batch_id]);
  return rows.map(({ held, ...row }) => {
    if (row.worker_target !== null) return { ...row, worker_target: row.worker_target };
    if (held === null) throw new Error(`batch ${batch_id}: a branch has no turn and nothing to make one of`);
    const { profile_box_id, profile_name, worker_target, needs_own_worker, window_tokens, title } = held;
    const { context_box_id, instruction_card_id } = held;
    return {
      ...row,
      ...{ profile_box_id, profile_name, worker_target, needs_own_worker, window_tokens, title, context_box_id },
      instruction_card_id: instruction_card_id ?? null,
    };
  });
}
