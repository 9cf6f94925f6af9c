// The two cards that a hand-over adds itself: where it came from, for machines, and the facts of the delegation.
import type { Card } from "@/server/contract/card";
import type { DelegationFacts } from "@/server/contract/delegation-context";
import { draftCard } from "../cardbox/draft-card";
import type { Kernel } from "../kernel";

type Common = { project_id: string; metadata?: Record<string, unknown> };

export function parentPointer(kernel: Kernel, input: Common & { source_agent_id: string }): Card {
  return draftCard(kernel, {
    project_id: input.project_id,
    metadata: input.metadata,
    card: {
      type: "meta.parent_pointer",
      role: "system",
      author_id: input.source_agent_id,
      content: { kind: "json", data: { parent_agent_id: input.source_agent_id } },
    },
  });
}

export type FactsInput = Common & { facts: DelegationFacts; weigh: (text: string) => number };

export function delegationCard(kernel: Kernel, input: FactsInput): Card {
  const { facts, weigh } = input;
  return draftCard(kernel, {
    project_id: input.project_id,
    metadata: input.metadata,
    card: {
      type: "meta.delegation_context",
      role: "system",
      author_id: "switchyard",
      // Undefined members are left out wherever the card is hashed, weighed or stored.
      content: { kind: "json", data: facts as never },
      // A person's call is not explained to the receiver.
      token_count: facts.caller.is_human ? 0 : weigh(told(facts)),
    },
  });
}

// A model is sent names and text, never ids, so that a dry run, whose ids differ, weighs the same as the launch.
function told(facts: DelegationFacts): string {
  const { caller, chain, target, root_text } = facts;
  const names = [...chain, target].map((agent) => agent.name);
  return ["[Delegation Context]", caller.name, caller.description, ...names, root_text].filter(Boolean).join("\n");
}
