// Calls that a person must approve before they are carried out: the turn is suspended on a request, and later carries out the
// call with what was approved.
import type { Card } from "@/server/contract/card";
import type { ProfileBody } from "@/server/contract/profile";
import { type Tool, timeoutOf } from "@/server/contract/tool";
import { openRequest } from "../humans/open-request";
import { readApproval } from "../humans/read-approval";
import { type Fenced, isFenced } from "../turns/fenced";
import { lockTurn } from "../turns/lock-turn";
import { withUnit } from "../unit";
import type { InlineTool, ToolContext, ToolWait } from "./inline-tool";

/** The card by which a turn learns that its call may be carried out. */
export const isApproved = (card: Card): boolean => card.type === "meta.approved_call";

/** What is carried out of a call. */
export type Cleared = { args: object; tool_call_card_id: string };

export type ApprovalCall = {
  context: ToolContext;
  tool: { own: InlineTool } | { external: Tool };
  args: object;
  /** The turn has read that a person approved. */
  is_approved: boolean;
};

/**
 * The call as it may be carried out, or that it has to wait. Until the turn has read the decision it waits, even if the
 * decision exists: otherwise its message would stay unread.
 */
export async function clearCall({
  context,
  tool,
  args,
  is_approved,
}: ApprovalCall): Promise<Cleared | ToolWait | Fenced> {
  const { kernel, turn, tool_call_id, tool_call_card_id } = context;
  const { project_id } = turn;
  const approval = is_approved ? await readApproval(kernel, { project_id, tool_call_id }) : null;
  if (approval) return { args: approval.arguments, tool_call_card_id: approval.decision_card_id };
  return needsApproval(context.profile, tool) ? ask(context, tool, args) : { args, tool_call_card_id };
}

/** Asking a person needs no approval. Pure. */
export function needsApproval(
  profile: Pick<ProfileBody, "requires_approval">,
  tool: { own: Pick<InlineTool, "tool_name"> } | { external: Pick<Tool, "tool_name" | "options"> },
): boolean {
  const tool_name = "own" in tool ? tool.own.tool_name : tool.external.tool_name;
  if (tool_name === "ask_human") return false;
  if ("external" in tool && isMarked(tool.external.options.requires_approval)) return true;
  return (profile.requires_approval ?? []).some((name) => isNamed(name, tool_name));
}

// "yes" instead of true must not let the call through.
const isMarked = (value: unknown): boolean => value !== undefined && value !== null && value !== false;

/** `files__*` = every tool whose name begins so; `*` = every tool. */
const isNamed = (name: string, tool_name: string): boolean =>
  name.endsWith("*") ? tool_name.startsWith(name.slice(0, -1)) : name === tool_name;

async function ask(context: ToolContext, tool: ApprovalCall["tool"], args: object): Promise<ToolWait | Fenced> {
  const { kernel, turn, step_id, tool_call_id, tool_call_card_id } = context;
  const { project_id, agent_turn_id, turn_epoch } = turn;
  const { tool_name, parameters } = "own" in tool ? tool.own : tool.external;
  const { approval_timeout_ms, approval_timeout_seconds } = "external" in tool ? tool.external.options : {};
  const timeout_ms = timeoutOf({ timeout_ms: approval_timeout_ms, timeout_seconds: approval_timeout_seconds });
  return withUnit(kernel, async (unit) => {
    const what = { statuses: ["running" as const], what: `ask for approval of ${tool_name}` };
    const row = await lockTurn(unit, { project_id, agent_turn_id, turn_epoch, ...what });
    if (isFenced(row)) return row;
    const asked = await openRequest(unit, {
      row,
      request: {
        kind: "approval",
        step_id,
        tool_call_id,
        tool_call_card_id,
        tool_name,
        arguments: args,
        parameters,
        ...(timeout_ms !== undefined && { timeout_ms }),
      },
    });
    return { status: "suspended", ...asked };
  });
}
