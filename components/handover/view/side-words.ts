// By which call a turn was made, and where its caller's column comes from, in words.
import type { CallerSide, HandoverSheet } from "@/server/contract/handover-diff";
import { isEnded, type Primitive } from "@/server/contract/turn";

export const primitiveWords: Record<Primitive, string> = {
  delegate_async: "A delegation,",
  launch_principal: "A launch,",
  fork_join: "A fork,",
  ask_expert: "A question,",
  ui_action: "A person's action,",
  import: "An import,",
};

/** The head of the third column. Of a turn that has ended without a stored request, none will come. */
export const thirdHead = ({ headcode, status, is_sent }: HandoverSheet["callee"]): string =>
  is_sent
    ? `What ${headcode} saw`
    : isEnded(status)
      ? `What ${headcode} was given`
      : `What ${headcode} has, not sent yet`;

export const sideWords: Record<CallerSide, string> = {
  request: "The caller's column is the request of the step that called, and what it had written.",
  boxes: "No request of the caller is stored: its column is its context and output at the call.",
  offered: "The caller's column is the boxes and cards that the person chose. What they wrote is added.",
  fork: "The caller's column is the request that it was forked from.",
  none: "Nobody called it.",
};
