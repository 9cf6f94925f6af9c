// What a tool policy may say of the members that have a meaning here. A guess could loosen a policy, so anything else is refused.
import type { OpenObject } from "./forms";

/** From the loosest to the strictest. */
export const approvalModes: readonly unknown[] = ["never", "on_request", "high_risk_only", "always"];

export function toolPolicyFault(policy: OpenObject): { name: string; cause: string } | null {
  for (const name of ["allowedTools", "blockedTools"]) {
    const tools = policy[name];
    const isList = Array.isArray(tools) && tools.every((tool) => typeof tool === "string");
    if (tools !== undefined && !isList) return { name, cause: "expected a list of tool names" };
  }
  const { approvalMode } = policy;
  return approvalMode === undefined || approvalModes.includes(approvalMode)
    ? null
    : { name: "approvalMode", cause: `expected ${approvalModes.toReversed().join(", ")}` };
}
