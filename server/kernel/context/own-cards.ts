// The new cards of a hand-over: its arguments, the facts of the delegation directly before the instruction, and the
// pointer to the caller.
import type { Handover } from "@/server/contract/pack";
import type { Kernel } from "../kernel";
import { delegationCard, parentPointer } from "./kernel-cards";
import { type PackedCard, packArguments } from "./pack-arguments";
import type { OwnCards, PackCommon, PackItem } from "./pack-item";

export function draftOwnCards(kernel: Kernel, common: PackCommon, item: PackItem, handover: Handover): OwnCards {
  const { pack_arguments, inherit_context } = handover.context_packing_config;
  const { project_id, tool_suffix, metadata } = common;
  const rules = pack_arguments;
  const given = packArguments(kernel, { project_id, tool_suffix, metadata, rules, arguments: item.arguments });
  return {
    packed: withFacts(kernel, common, item, given),
    pointer: inherit_context.include_parent ? parentPointer(kernel, common) : null,
  };
}

/** Inherited history must not stand between the context of a request and the request. */
function withFacts(kernel: Kernel, common: PackCommon, item: PackItem, packed: PackedCard[]): PackedCard[] {
  if (!item.delegation_context) return packed;
  const card = delegationCard(kernel, { ...common, facts: item.delegation_context });
  const at = packed.findIndex((p) => p.card.type === "task.instruction");
  return packed.toSpliced(at < 0 ? packed.length : at, 0, { card, origin: "sys" });
}
