// An agent delegates: check, pack, provision, enqueue, lease if idle, edges and frames in one transaction. A refusal writes
// nothing; the caller continues at once.
import { DelegateInput, type DelegateResult, LaunchPrincipalInput } from "@/server/contract/delegation";
import type { Kernel } from "../kernel";
import { type Fenced, isFenced } from "../turns/fenced";
import { withUnit } from "../unit";
import { askAhead } from "./ask-ahead";
import { type CallerRef, lockCaller } from "./caller";
import { delegateIn } from "./delegate-in";
import { parseArgs } from "./parse-args";

export type DelegateTool = "delegate_async" | "launch_principal";
export type DelegateCall = { project_id: string; caller: CallerRef; tool: DelegateTool; args: unknown };

/** Throws KernelError if refused; Fenced if the caller's lease is gone. */
export async function delegate(kernel: Kernel, call: DelegateCall): Promise<DelegateResult | Fenced> {
  const args = parseDelegateArgs(call.tool, call.args);
  return withUnit(kernel, async (unit) => {
    const { project_id, tool } = call;
    const locking = lockCaller(unit, project_id, call.caller, tool);
    const ahead = askAhead(unit, { project_id, agent_turn_id: call.caller.agent_turn_id, refs: [args] });
    const caller = await locking;
    if (isFenced(caller)) return caller;
    return delegateIn(unit, { project_id, caller, tool, args, ahead, isLast: true });
  });
}

/** `launch_principal {profile_name, instruction}` = delegate new. */
export function parseDelegateArgs(tool: DelegateTool, args: unknown): DelegateInput {
  if (tool === "delegate_async") return parseArgs(DelegateInput, args);
  const { profile_name, ...rest } = parseArgs(LaunchPrincipalInput, args);
  return { target_strategy: "new", target_ref: profile_name, ...rest };
}
