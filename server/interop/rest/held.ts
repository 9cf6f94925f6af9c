// A lost race in REST: 409 `fenced` with the current epoch, so that a worker knows to drop the turn.
import { KernelError } from "@/server/contract/errors";
import { type Fenced, isFenced } from "@/server/kernel/turns/fenced";

/** The answer itself if the caller owned the turn. not_found if the project has no such turn. */
export function held<T extends object>(agent_turn_id: string, epoch: number, answer: T | Fenced): T {
  if (isFenced(answer)) throw fenced(agent_turn_id, epoch, answer.current_epoch);
  return answer;
}

export function fenced(agent_turn_id: string, epoch: number, current_epoch: number | null): KernelError {
  if (current_epoch === null) return new KernelError("not_found", `turn ${agent_turn_id} not found`);
  const reason =
    current_epoch === epoch
      ? `turn ${agent_turn_id} can't do this now: you don't hold it, it has not started, it is suspended, or it has ended`
      : `turn ${agent_turn_id} has moved on from epoch ${epoch} to ${current_epoch}`;
  return new KernelError("fenced", `${reason}; drop it and claim again`, { current_epoch });
}
