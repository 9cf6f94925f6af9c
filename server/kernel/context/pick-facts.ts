// The facts of a delegation as one receiver is told them, from a card that the branches of a fork share. Pure.
import type { Card } from "@/server/contract/card";
import { type DelegationFacts, type SharedFacts, StoredFacts } from "@/server/contract/delegation-context";
import { taskOf } from "../cardbox/task-of";

export type FactsReader = {
  agent_id: string;
  /** The task that follows the facts in its context. */
  instruction: Pick<Card, "card_id" | "metadata">;
};

/** null for a card that holds no facts. */
export function pickFacts(content: Card["content"], reader: FactsReader): DelegationFacts | null {
  if (content?.kind !== "json") return null;
  const { data: stored } = StoredFacts.safeParse(content.data);
  if (!stored) return null;
  return stored.schema_version === 1 ? stored : ofReader(stored, reader);
}

function ofReader(
  { target, targets, batch, schema_version: _of, ...facts }: SharedFacts,
  reader: FactsReader,
): DelegationFacts {
  const own = ownTarget(targets, reader);
  const task_index = own?.task_index;
  return {
    ...facts,
    schema_version: 1,
    target: { agent_id: own?.agent_id ?? reader.agent_id, ...target },
    // Which task it was is left out where it is not known: a sibling's number would be wrong.
    ...(batch && task_index !== undefined && { batch: { ...batch, task_index } }),
  };
}

// By its task first: an agent that is used again may have several tasks of a fork, and an agent that a rerun or a fork of a turn
// starts is not in the list. What stands for another instruction names the first one (cardbox/task-of.ts).
function ownTarget(targets: SharedFacts["targets"], { agent_id, instruction }: FactsReader) {
  if (targets.length === 1) return targets[0];
  const task = taskOf(instruction);
  return targets.find((one) => one.instruction_card_id === task) ?? targets.find((one) => one.agent_id === agent_id);
}
