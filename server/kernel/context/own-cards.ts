// The new cards of hand-overs: their arguments, a context pack and the facts of the delegation directly before the instruction,
// and the pointer to the caller. Hand-overs that are packed together have one caller: what would be equal in each of them,
// the pointer and the facts, is drafted, weighed and stored once, and stands in all of their boxes.
import type { Card } from "@/server/contract/card";
import { TARGETS_MAX } from "@/server/contract/delegation-context";
import type { KernelError } from "@/server/contract/errors";
import type { Handover } from "@/server/contract/pack";
import { attempt, isRefusal, pass } from "../attempt";
import type { Kernel } from "../kernel";
import { delegationCard, isToldAlike, parentPointer, type Receiver, type Told } from "./kernel-cards";
import { type PackedCard, packArguments } from "./pack-arguments";
import { packCards } from "./pack-cards";
import type { OwnCards, PackCommon, PackItem } from "./pack-item";

export type Shaped = { item: PackItem; handover: Handover };

/** In order; what was refused stays refused. */
export function draftOwnCards(
  kernel: Kernel,
  common: PackCommon,
  shapes: readonly (Shaped | KernelError)[],
): (OwnCards | KernelError)[] {
  const { project_id, source_agent_id, tool_suffix, metadata } = common;
  const drafts = shapes.map((shape) =>
    attempt((): Shaped & { given: PackedCard[] } => {
      const { item, handover } = pass(shape);
      const { pack_arguments: rules } = handover.context_packing_config;
      const own = { project_id, tool_suffix, metadata, rules, arguments: item.arguments };
      return { item, handover, given: packArguments(kernel, own) };
    }),
  );
  const facts = draftFacts(kernel, common, drafts);
  let pointer: Card | undefined;
  const point = (): Card => {
    pointer ??= parentPointer(kernel, { project_id, metadata, source_agent_id });
    return pointer;
  };
  return drafts.map((draft, i) => {
    if (isRefusal(draft)) return draft;
    const { item, handover, given } = draft;
    const { context_pack: handed } = item;
    const card = facts.get(i);
    const told = [
      ...(handed ? packCards(kernel, { project_id, metadata, handed }) : []),
      ...(card ? [{ card, origin: "sys" }] : []),
    ];
    const { include_parent } = handover.context_packing_config.inherit_context;
    return { packed: beforeTask(given, told), pointer: include_parent ? point() : null };
  });
}

type Group = { told: Told; receivers: [Receiver, ...Receiver[]]; places: number[] };

/** By place. Receivers that are told alike share a card, as many as one card lists. */
function draftFacts(
  kernel: Kernel,
  { project_id, metadata }: PackCommon,
  drafts: readonly ((Shaped & { given: PackedCard[] }) | KernelError)[],
): ReadonlyMap<number, Card> {
  const groups: Group[] = [];
  for (const [place, draft] of drafts.entries()) {
    const told = isRefusal(draft) ? undefined : draft.item.delegation_context;
    if (isRefusal(draft) || !told) continue;
    const instruction = draft.given.find(({ card }) => card.type === "task.instruction");
    const receiver = { told, instruction_card_id: instruction?.card.card_id };
    const group = groups.findLast((one) => isToldAlike(one.told, told));
    if (group && group.receivers.length < TARGETS_MAX) {
      group.receivers.push(receiver);
      group.places.push(place);
    } else groups.push({ told, receivers: [receiver], places: [place] });
  }
  return new Map(
    groups.flatMap(({ receivers, places }) => {
      const card = delegationCard(kernel, { project_id, metadata, receivers });
      return places.map((place) => [place, card] as const);
    }),
  );
}

/** Inherited history must not come between the context of a request and the request. */
function beforeTask(packed: PackedCard[], told: PackedCard[]): PackedCard[] {
  const at = packed.findIndex((p) => p.card.type === "task.instruction");
  return packed.toSpliced(at < 0 ? packed.length : at, 0, ...told);
}
