// An agent forks or asks an expert. Everything is created in one transaction, and from then on the call is waited for. The
// caller keeps running until it suspends itself, or is suspended by the same transaction where it has nothing else to do.
import type { BatchTool, ForkJoinInput, ForkResult } from "@/server/contract/batch";
import type { SuspendResult } from "@/server/contract/waiting";
import { askAhead } from "../delegation/ask-ahead";
import { type CallerRef, lockCaller } from "../delegation/caller";
import { expertArgs } from "../delegation/expert-args";
import { type MayTrust, retryIfRunChanged } from "../delegation/run-as-read";
import type { Wait } from "../inbox/waits";
import type { Kernel } from "../kernel";
import { type Fenced, isFenced } from "../turns/fenced";
import { type SuspendInput, sleepOn, suspendIn } from "../turns/suspend-turn";
import type { TurnRow } from "../turns/turn-row";
import { type Unit, withUnit } from "../unit";
import { askBeforeFork } from "./find-fork";
import { forkIn } from "./fork-in";
import { parseFork } from "./parse-fork";

export type ForkCall = {
  project_id: string;
  caller: CallerRef & { tool_call_id: string };
  tool: BatchTool;
  args: unknown;
  /** The call is the only one of its step: with it the step ends and the caller is suspended. */
  sleep?: Sleep;
};

export type Sleep = Pick<SuspendInput, "step">;
/** `slept` answers `sleep`. Running: the batch was there already and has ended. */
export type Forked = ForkResult & { slept?: SuspendResult };

/** Throws KernelError if refused, and writes nothing; Fenced if the caller has lost its lease. */
export async function fork(kernel: Kernel, call: ForkCall): Promise<Forked | Fenced> {
  const { project_id, tool, args } = call;
  const parsed = tool === "fork_join" ? parseFork(kernel.tunables, args) : null;
  const forkOnce = async (unit: Unit, mayTrust: MayTrust): Promise<Forked | Fenced> => {
    const { tool_call_id, agent_turn_id, turn_epoch } = call.caller;
    const asking = Promise.all([
      lockCaller(unit, project_id, call.caller, tool),
      askBeforeFork(unit, { project_id, tool_call_id, agent_turn_id }),
    ]);
    const ahead = parsed ? askAhead(unit, { project_id, agent_turn_id, refs: parsed.tasks }) : undefined;
    const [caller, { done, mustReadWaits, runAsRead: read }] = await asking;
    if (isFenced(caller)) return caller;
    const { root_turn_id } = caller.turn;
    const runAsRead = read && mayTrust({ project_id, root_turn_id }) ? read : undefined;
    const input = parsed ?? oneExpert(caller.turn, args);
    const key = { project_id, agent_turn_id, turn_epoch, tool_call_ids: [tool_call_id] };
    let sleeping: ReturnType<typeof suspendIn> | undefined;
    const together = async (waiting?: Promise<Pick<Wait, "deadline_at">>, isLast = false) => {
      if (!call.sleep) return isLast && unit.seal(project_id);
      sleeping =
        waiting && !mustReadWaits
          ? sleepOn(unit, caller.turn, { ...call.sleep, ...key, tool_call_id, tool_name: tool, waiting, isLast })
          : suspendIn(unit, caller.turn, { ...call.sleep, ...key });
      await sleeping;
    };
    if (done) await together();
    const made =
      done ??
      (await forkIn(unit, { project_id, caller, tool, input, tool_call_id, isNew: true, ahead, runAsRead, together }));
    const slept = await sleeping;
    if (slept === undefined) return made;
    if (isFenced(slept)) throw new Error(`turn ${agent_turn_id} was locked and could not be suspended`);
    return { ...made, slept };
  };
  return retryIfRunChanged(kernel, (mayTrust) => withUnit(kernel, (unit) => forkOnce(unit, mayTrust)));
}

/** Asking is a fork of one task: it needs the same deadline, stop and single resume. */
export function oneExpert(
  caller: Pick<TurnRow, "output_box_id" | "output_cards" | "output_start">,
  args: unknown,
): ForkJoinInput {
  return { tasks: [expertArgs(caller, args)], fail_fast: false };
}
