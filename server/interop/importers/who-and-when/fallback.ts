// Used if a log shows no deliverable: the kernel's own fallback, marked as inferred.
import type { TurnCode } from "@/server/contract/failure-codes";
import { fallbackDeliverable } from "@/server/kernel/turns/fallback-deliverable";
import { addCard, type Draft, type DraftTurn } from "./draft";

export function fallbackCard(draft: Draft, key: string, turn: DraftTurn, error: string, error_code: TurnCode): string {
  const { agent_turn_id } = turn;
  return addCard(draft, key, {
    type: "task.deliverable",
    content: fallbackDeliverable({ status: "partial", error, error_code, agent_turn_id, step_count: 0 }),
    author_id: "import",
    metadata: { agent_turn_id, inferred: true, is_fallback: true, status: "partial" },
  });
}
