// As whom a plan is checked: a person whose root turn does not exist yet, or an agent as it last ran.
import { KernelError } from "@/server/contract/errors";
import { columnsOf } from "../columns";
import type { Caller } from "../delegation/caller";
import { draftCaller } from "../delegation/draft-caller";
import { readBodies } from "../roster/read-bodies";
import type { HeadcodeLetters } from "../turns/headcode";
import { TURN_COLUMNS, type TurnRow } from "../turns/turn-row";
import type { Unit } from "../unit";

export type CheckedAs = { user: string } | { agent_id: string };
/** `letters`: the codes that its run has given. */
export type CheckCaller = Caller & { letters: HeadcodeLetters };

const LATEST = `
  SELECT ${columnsOf(TURN_COLUMNS, "t")}, r.letters FROM state.agent_turns t
  JOIN state.runs r ON r.project_id = t.project_id AND r.root_turn_id = t.root_turn_id
  WHERE t.project_id = $1 AND t.agent_id = $2 AND NOT t.is_human ORDER BY t.created_at DESC LIMIT 1`;

/** not_found for an agent that has no turn in this project. */
export async function readCheckCaller(unit: Unit, project_id: string, as: CheckedAs): Promise<CheckCaller> {
  if ("user" in as) return { ...draftCaller(unit, { project_id, user: as.user }), letters: {} };
  const [row] = await unit.query<TurnRow & { letters: HeadcodeLetters }>("plan_check_as", LATEST, [
    project_id,
    as.agent_id,
  ]);
  if (!row)
    throw new KernelError("not_found", `as.agent_id: agent ${as.agent_id} has no turn in project ${project_id}`, {
      path: "as.agent_id",
    });
  const { letters, ...turn } = row;
  const bodies = await readBodies(unit, { project_id, profile_box_ids: [turn.profile_box_id] });
  return { turn, is_human: false, body: bodies.get(turn.profile_box_id) ?? null, letters };
}
