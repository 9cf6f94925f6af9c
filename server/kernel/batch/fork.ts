// An agent forks or asks an expert. Everything is created in one transaction, and from then on the call is waited for. The
// caller keeps running until it suspends itself.
import type { BatchTool, ForkJoinInput, ForkResult } from "@/server/contract/batch";
import { type CallerRef, lockCaller } from "../delegation/caller";
import { expertArgs } from "../delegation/expert-args";
import type { Kernel } from "../kernel";
import { type Fenced, isFenced } from "../turns/fenced";
import type { TurnRow } from "../turns/turn-row";
import { withUnit } from "../unit";
import { forkIn } from "./fork-in";
import { parseFork } from "./parse-fork";

export type ForkCall = {
  project_id: string;
  caller: CallerRef & { tool_call_id: string };
  tool: BatchTool;
  args: unknown;
};

/** Throws KernelError if refused, and writes nothing; Fenced if the caller has lost its lease. */
export async function fork(kernel: Kernel, call: ForkCall): Promise<ForkResult | Fenced> {
  const { project_id, tool, args } = call;
  const parsed = tool === "fork_join" ? parseFork(kernel.tunables, args) : null;
  return withUnit(kernel, async (unit) => {
    const caller = await lockCaller(unit, project_id, call.caller, tool);
    if (isFenced(caller)) return caller;
    const input = parsed ?? oneExpert(caller.turn, args);
    return forkIn(unit, { project_id, caller, tool, input, tool_call_id: call.caller.tool_call_id });
  });
}

/** Asking is a fork of one task: it needs the same deadline, stop and single resume. */
export function oneExpert(
  caller: Pick<TurnRow, "output_box_id" | "output_cards" | "output_start">,
  args: unknown,
): ForkJoinInput {
  return { tasks: [expertArgs(caller, args)], fail_fast: false };
}
