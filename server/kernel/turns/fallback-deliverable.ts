// Every turn ends with its own deliverable; if the agent left none, this one says what happened.
import type { CardContent } from "@/server/contract/card";
import type { EndStatus } from "@/server/contract/turn";

export type FallbackFacts = {
  status: EndStatus;
  error_code?: string;
  error?: string;
  agent_turn_id: string;
  step_count: number;
  last_note?: string;
};

/** Marked `kind: fallback_deliverable`, so that it is not mistaken for the agent's own words. */
export function fallbackDeliverable(facts: FallbackFacts): CardContent {
  const reason = facts.error ?? `the turn ended ${facts.status} without a deliverable`;
  return {
    kind: "json",
    data: {
      schema_version: 1,
      kind: "fallback_deliverable",
      status: facts.status,
      fields: [
        { name: "summary", value: reason },
        { name: "reason", value: facts.error_code ?? facts.status },
        ...(facts.last_note ? [{ name: "last_note", value: facts.last_note }] : []),
      ],
      diagnostics: { agent_turn_id: facts.agent_turn_id, steps: facts.step_count },
    },
  };
}
