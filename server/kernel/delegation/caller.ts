// Who delegates: the turn that holds its lease, locked, with the body of its profile; or a person's root turn.
import { KernelError } from "@/server/contract/errors";
import type { ProfileBody } from "@/server/contract/profile";
import { findBodies, noBody, readBodyOfTurn } from "../roster/read-bodies";
import { type Fenced, isFenced } from "../turns/fenced";
import { lockTurn } from "../turns/lock-turn";
import type { TurnRow } from "../turns/turn-row";
import type { Unit } from "../unit";

/** What an agent's call brings: its lease and the identity of the call. */
export type CallerRef = {
  agent_id: string;
  agent_turn_id: string;
  turn_epoch: number;
  step_id?: string;
  tool_call_id?: string;
  /** (turn, epoch, client's call id): a repeated call returns the first one's answer. */
  client_call_key?: string;
};

export type Caller = {
  turn: TurnRow;
  is_human: boolean;
  /** null for a person, who is bound by a role and not by a policy. */
  body: ProfileBody | null;
  step_id?: string;
  tool_call_id?: string;
  client_call_key?: string;
};

export async function lockCaller(
  unit: Unit,
  project_id: string,
  ref: CallerRef,
  what: string,
): Promise<Caller | Fenced> {
  // The body is asked for behind the lock, without waiting for its answer.
  const [turn, own] = await Promise.all([
    lockTurn(unit, { project_id, ...ref, statuses: ["running"], what }),
    readBodyOfTurn(unit, { project_id, agent_turn_id: ref.agent_turn_id }),
  ]);
  if (isFenced(turn)) return turn;
  if (turn.agent_id !== ref.agent_id)
    throw new KernelError("bad_request", `caller.agent_id: turn ${ref.agent_turn_id} is not of agent ${ref.agent_id}`);
  const { profile_box_id } = turn;
  const body = own ?? (await findBodies(unit, { project_id, profile_box_ids: [profile_box_id] })).get(profile_box_id);
  if (!body) throw noBody(profile_box_id);
  return {
    turn,
    is_human: false,
    body,
    step_id: ref.step_id,
    tool_call_id: ref.tool_call_id,
    client_call_key: ref.client_call_key,
  };
}
