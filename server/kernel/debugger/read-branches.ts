// The branches of the fork that made a turn, itself among them. Only its page compares them: for a sweep of all branches they would
// be read once for each.
import type { HandoverSheet } from "@/server/contract/handover-diff";
import { type Reader, read } from "../reader";

/** Others are not compared: which row differs from them is not said. */
const BRANCHES_MAX = 64;

const BRANCHES = `
  SELECT o.agent_turn_id, o.headcode, o.task_index, o.context_box_id
  FROM state.agent_turns t
  JOIN state.agent_turns o ON o.project_id = $1 AND o.batch_id = t.batch_id AND o.parent_turn_id = t.parent_turn_id
  WHERE t.project_id = $1 AND t.agent_turn_id = $2
  ORDER BY o.task_index, o.agent_turn_id LIMIT ${BRANCHES_MAX}`;

export type HandoverBranch = HandoverSheet["branches"][number] & { context_box_id: string };

/** By their place in the fork. None of a turn that was not forked. */
export const readBranches = (
  reader: Reader,
  { project_id, agent_turn_id }: { project_id: string; agent_turn_id: string },
): Promise<HandoverBranch[]> =>
  read<HandoverBranch>(reader, "handover_branches", BRANCHES, [project_id, agent_turn_id]);
