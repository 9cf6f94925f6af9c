// What is packed for one task: its recipe with the arguments, the facts of the delegation, and who receives it. A delegation and
// the check of a plan make it the same way, so that what is shown is what is sent.
import type { CallerFacts, DelegationFacts } from "@/server/contract/delegation-context";
import type { HandedPack } from "../context/pack-cards";
import type { PackItem } from "../context/pack-item";
import type { Chosen, TaskArgs } from "./choose-recipes";
import { handoverOf } from "./handover-of";
import type { Target } from "./resolve-target";

export type ItemTask = {
  args: TaskArgs;
  target: Target;
  chosen: Chosen;
  /** Where the task is named in messages. */
  at: string;
  facts: CallerFacts;
  batch?: DelegationFacts["batch"];
  /** Of tasks that are planned together and not delegated together: what this one is delegated with. */
  group?: object;
  /** Of the receiver, which may not exist yet. */
  agent_id: string;
  context_pack?: HandedPack;
};

export function itemOf({ args, target, chosen, at, facts, batch, group, agent_id, context_pack }: ItemTask): PackItem {
  // A clone and an agent used again keep their own name, and a clone has the id of its source with it.
  const display_name = target.agent?.display_name ?? target.profile.name;
  const derived_from = target.strategy === "clone" ? target.agent?.agent_id : undefined;
  const { arguments: given, handover, kernel_box_ids, recipe } = handoverOf({ args, target, chosen, at });
  return {
    arguments: given,
    handover,
    kernel_box_ids,
    recipe,
    profile: target.profile,
    context_pack,
    left_out: args.left_out,
    edits: args.edits,
    delegation_context: { facts, target: { agent_id, name: display_name, derived_from }, batch, group },
    owner_agent_id: agent_id,
    target: {
      agent_id,
      display_name,
      profile_box_id: target.profile_box_id,
      body: target.body,
      memory_box_id: target.strategy === "reuse" ? target.agent?.output_box_id : undefined,
    },
  };
}
