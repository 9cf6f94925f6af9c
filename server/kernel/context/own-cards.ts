// The new cards of a hand-over: its arguments, a context pack and the facts of the delegation directly before the instruction,
// and the pointer to the caller.
import type { Card } from "@/server/contract/card";
import type { Handover } from "@/server/contract/pack";
import type { Kernel } from "../kernel";
import { countTokens } from "../tokens/count-tokens";
import { delegationCard, parentPointer } from "./kernel-cards";
import { type PackedCard, packArguments } from "./pack-arguments";
import { packCards } from "./pack-cards";
import type { OwnCards, PackCommon, PackItem } from "./pack-item";

/** Drafts for hand-overs of one source: cards that are the same for all are drafted and weighed once. */
export function draftsOf(kernel: Kernel, common: PackCommon): (item: PackItem, handover: Handover) => OwnCards {
  const { project_id, source_agent_id, tool_suffix, metadata } = common;
  const weights = new Map<string, number>();
  let pointer: Card | null = null;
  const weigh = (text: string): number => {
    const weight = weights.get(text) ?? countTokens(text);
    weights.set(text, weight);
    return weight;
  };
  const point = (): Card => {
    pointer = pointer
      ? { ...pointer, card_id: kernel.newId() }
      : parentPointer(kernel, { project_id, metadata, source_agent_id });
    return pointer;
  };
  return (item, handover) => {
    const { pack_arguments: rules, inherit_context } = handover.context_packing_config;
    const given = packArguments(kernel, { project_id, tool_suffix, metadata, rules, arguments: item.arguments });
    const { delegation_context: facts, context_pack: handed } = item;
    const told = [
      ...(handed ? packCards(kernel, { project_id, metadata, handed }) : []),
      ...(facts ? [{ card: delegationCard(kernel, { project_id, metadata, facts, weigh }), origin: "sys" }] : []),
    ];
    return {
      packed: beforeTask(given, told),
      pointer: inherit_context.include_parent ? point() : null,
    };
  };
}

/** Inherited history must not come between the context of a request and the request. */
function beforeTask(packed: PackedCard[], told: PackedCard[]): PackedCard[] {
  const at = packed.findIndex((p) => p.card.type === "task.instruction");
  return packed.toSpliced(at < 0 ? packed.length : at, 0, ...told);
}
