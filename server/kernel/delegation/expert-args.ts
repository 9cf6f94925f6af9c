// `ask_expert` is a delegation to a new agent; with `include_history` the caller's own output goes along.
import { AskExpertInput } from "@/server/contract/batch";
import type { DelegateInput } from "@/server/contract/delegation";
import { KernelError } from "@/server/contract/errors";
import type { TurnRow } from "../turns/turn-row";
import { parseArgs } from "./parse-args";

/** bad_request when history is asked for and the caller has produced nothing yet. */
export function expertArgs(
  caller: Pick<TurnRow, "output_box_id" | "output_cards" | "output_start">,
  args: unknown,
): DelegateInput {
  const { expert_profile, question, include_history, ...given } = parseArgs(AskExpertInput, args);
  const hasHistory = (caller.output_cards ?? 0) > 0 || (caller.output_start ?? 0) > 0;
  if (include_history && (caller.output_box_id === null || !hasHistory))
    throw new KernelError(
      "bad_request",
      "include_history: the caller has no output yet; ask without it, or hand over a box",
    );
  const history = include_history && caller.output_box_id !== null ? [caller.output_box_id] : [];
  const boxes = [...history, given.context_box_id ?? []].flat();
  return {
    ...given,
    target_strategy: "new",
    target_ref: expert_profile,
    instruction: question,
    ...(boxes.length > 0 && { context_box_id: boxes }),
  };
}
