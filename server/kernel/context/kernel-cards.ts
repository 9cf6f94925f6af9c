// The two cards that a hand-over adds itself: where it came from, for machines, and the facts of the delegation.
import type { Card } from "@/server/contract/card";
import type { CallerFacts, DelegationFacts, SharedFacts } from "@/server/contract/delegation-context";
import { draftCard } from "../cardbox/draft-card";
import type { Kernel } from "../kernel";
import { countTokens } from "../tokens/count-tokens";

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

/** One receiver of a delegation, and what all receivers of its caller are told. */
export type Told = {
  facts: CallerFacts;
  target: { agent_id: string; name: string; derived_from?: string };
  batch?: DelegationFacts["batch"];
  /** Tasks that are packed together and not delegated together (the check of a plan) name what each belongs to. */
  group?: object;
};

export type Receiver = { told: Told; instruction_card_id?: string };

/** For receivers that are told the same but for who they are (`isToldAlike`). */
export function delegationCard(kernel: Kernel, input: Common & { receivers: [Receiver, ...Receiver[]] }): Card {
  const { receivers } = input;
  const { facts, target, batch } = receivers[0].told;
  const { agent_id: _id, ...named } = target;
  const data: SharedFacts = {
    schema_version: 2,
    ...facts,
    target: named,
    ...(batch && { batch: batchOf(batch) }),
    targets: receivers.map(({ told, instruction_card_id }) => ({
      agent_id: told.target.agent_id,
      ...(told.batch && { task_index: told.batch.task_index }),
      ...(instruction_card_id !== undefined && { instruction_card_id }),
    })),
  };
  return draftCard(kernel, {
    project_id: input.project_id,
    metadata: input.metadata,
    card: {
      type: "meta.delegation_context",
      role: "system",
      author_id: "switchyard",
      // Undefined members are left out wherever the card is hashed, weighed or stored.
      content: { kind: "json", data: data as never },
      // A person's call is not explained to the receiver.
      token_count: facts.caller.is_human ? 0 : countTokens(textOf(facts, target.name)),
    },
  });
}

export function isToldAlike(one: Told, other: Told): boolean {
  return (
    one.facts === other.facts &&
    one.group === other.group &&
    one.target.name === other.target.name &&
    one.target.derived_from === other.target.derived_from &&
    one.batch?.batch_id === other.batch?.batch_id &&
    one.batch?.task_count === other.batch?.task_count
  );
}

const batchOf = ({ task_index: _index, ...batch }: NonNullable<DelegationFacts["batch"]>) => batch;

// What one receiver is sent, whatever its siblings. A model is sent names and text, never ids, so that a dry run, whose ids
// differ, weighs the same as the launch.
function textOf({ caller, chain, root_text }: CallerFacts, name: string): string {
  const names = [...chain.map((agent) => agent.name), name];
  return ["[Delegation Context]", caller.name, caller.description, ...names, root_text].filter(Boolean).join("\n");
}
