// Packs hand-overs (docs/design/kernel.md 5): every check first, in the order shape, profile, authorisation, existence, packing; then
// one statement for the new cards and the boxes, however many hand-overs there are and whatever they inherit.
import type { KernelError } from "@/server/contract/errors";
import type { PackResult } from "@/server/contract/pack";
import { isRefusal } from "../attempt";
import { boxItemOf } from "../cardbox/box-chunks";
import { sha256 } from "../cardbox/canonical-json";
import { storeCards } from "../cardbox/insert-cards";
import { layBox } from "../cardbox/lay-box";
import { writeNewBoxes } from "../cardbox/write-boxes";
import type { Unit } from "../unit";
import { checkHandovers, tryHandovers } from "./check-handovers";
import type { PackedCard } from "./pack-arguments";
import {
  type CheckedHandover,
  distinctCards,
  ownCardsOf,
  type PackCommon,
  type PackContextInput,
  type PackContextsInput,
  type Packed,
  type PackItem,
  type Plan,
} from "./pack-item";
import type { Inheritance, Planned } from "./plan-inheritance";
import { previewPacks } from "./preview-packs";
import { planInheritances, type SourcesInput } from "./read-sources";
import { inOrder, writeReceipt } from "./receipt";

export async function packContext(unit: Unit, input: PackContextInput): Promise<Packed & Pick<PackResult, "card_ids">> {
  const [packed] = await packContexts(unit, { ...input, items: [input], with_card_ids: true });
  if (!packed?.card_ids) throw new Error("one hand-over was given and none came back with its cards");
  return { ...packed, card_ids: packed.card_ids };
}

/** In input order. If several items are refused, the first one's refusal is thrown; its number is in detail.item. */
export async function packContexts(unit: Unit, input: PackContextsInput): Promise<Packed[]> {
  const { checked, read } = await checkHandovers(unit, input);
  const plans = await planBoxes(unit, { ...input, read }, checked);
  input.check?.(plans.map((plan) => plan.layout));
  if (input.dry_run) return shownOf(unit, input, plans);
  const ids = await writePlans(unit, input, plans);
  return plans.map((plan, i) => ({
    context_box_id: ids[i],
    ...resultOf(plan),
    ...(input.with_card_ids && { card_ids: plan.card_ids ?? [] }),
  }));
}

/**
 * Packs each hand-over for itself and writes nothing: a refusal stands where its hand-over does, and refuses no other. What was
 * refused before stays refused.
 */
export async function tryContexts(
  unit: Unit,
  { items, ...input }: Omit<PackContextsInput, "dry_run" | "check" | "items"> & { items: (PackItem | KernelError)[] },
): Promise<(Packed | KernelError)[]> {
  const shaped = items.flatMap((item) => (isRefusal(item) ? [] : item));
  if (shaped.length === 0) return items.flatMap((item) => (isRefusal(item) ? item : []));
  const results = (await trySome(unit, { ...input, items: shaped, dry_run: true })).values();
  return items.map((item) => {
    if (isRefusal(item)) return item;
    const { value } = results.next();
    if (!value) throw new Error("a hand-over was packed and did not come back");
    return value;
  });
}

async function trySome(unit: Unit, dry: PackContextsInput): Promise<(Packed | KernelError)[]> {
  const { tried, read } = await tryHandovers(unit, dry);
  const passed = tried.flatMap((one) => (isRefusal(one) ? [] : one));
  const plans = await planBoxes(unit, { ...dry, read }, passed);
  const packed = (await shownOf(unit, dry, plans)).values();
  return tried.map((one) => {
    if (isRefusal(one)) return one;
    const { value } = packed.next();
    if (!value) throw new Error("a hand-over passed its check and was not packed");
    return value;
  });
}

async function planBoxes(
  unit: Unit,
  input: PackCommon & Pick<SourcesInput, "read">,
  checked: CheckedHandover[],
): Promise<Plan[]> {
  const inheritances = checked.map((c) => c.inheritance);
  const inherited = await planShared(unit, input, inheritances);
  return checked.map((c, i) => planBox(c, inherited[i] ?? NOTHING));
}

async function shownOf(unit: Unit, input: PackCommon, plans: Plan[]): Promise<Packed[]> {
  // Who asks for neither texts, a request nor secrets gets the receipt: no card is read for it.
  if (input.is_brief && !input.offer && !input.finds_secrets)
    return plans.map((plan) => ({ ...resultOf(plan), card_ids: plan.card_ids ?? [] }));
  const shown = await previewPacks(unit, { ...input, plans });
  return plans.map((plan, i) => ({ ...resultOf(plan), card_ids: plan.card_ids ?? [], ...shown[i] }));
}

const NOTHING: Planned = { pieces: [], lines: [], card_ids: [], ids_hash: sha256(""), copies: [] };

/** Siblings of a fork mostly inherit the same boxes: equal inheritances are planned once. */
async function planShared(
  unit: Unit,
  input: PackCommon & Pick<SourcesInput, "read">,
  inheritances: Inheritance[],
): Promise<(Planned | undefined)[]> {
  const keys = inheritances.map((i) => JSON.stringify(i));
  const distinct = new Map(inheritances.map((inheritance, i) => [keys[i], inheritance]));
  const planned = await planInheritances(unit.kernel, unit, {
    project_id: input.project_id,
    inheritances: [...distinct.values()],
    read: input.read,
  });
  const byKey = new Map([...distinct.keys()].map((key, i) => [key, planned[i]]));
  return keys.map((key) => byKey.get(key));
}

function planBox({ item, profile, handover, packed, pointer }: CheckedHandover, inherited: Planned): Plan {
  const { order } = handover.context_packing_config;
  const last = pointer ? [{ card: pointer, origin: "ptr" }] : [];
  const items = (cards: PackedCard[]) => ({ items: cards.map(({ card, origin }) => boxItemOf(card, origin)) });
  return {
    item,
    profile,
    inherited,
    packed,
    pointer,
    layout: layBox([...inOrder(order, inherited.pieces, [items(packed)]), items(last)]),
    card_ids: inherited.card_ids && [...inOrder(order, inherited.card_ids, packed.map(idOf)), ...last.map(idOf)],
    receipt: writeReceipt({ order, inherited, packed, pointer, recipe: item.recipe }),
  };
}

const idOf = ({ card }: PackedCard): string => card.card_id;

async function writePlans(unit: Unit, input: PackCommon, plans: Plan[]): Promise<string[]> {
  const { project_id } = input;
  // The id of a copy is derived from its original, so it may already exist.
  await storeCards(unit, { project_id, drafts: plans.flatMap((plan) => plan.inherited.copies) });
  const boxes = plans.map(({ item, layout, receipt }) => ({
    box_id: unit.kernel.newId(),
    kind: "context" as const,
    owner_agent_id: item.owner_agent_id,
    owner_turn_id: item.owner_turn_id,
    has_repeats: false,
    receipt,
    ...layout,
  }));
  input.beforeBoxes?.();
  writeNewBoxes(unit, { project_id, boxes, cards: distinctCards(plans.flatMap(ownCardsOf)) });
  return boxes.map((box) => box.box_id);
}

function resultOf({ profile, receipt, layout, packed }: Plan): Packed {
  return {
    target_profile_box_id: profile.profile_box_id,
    receipt,
    profile,
    length: layout.length,
    token_sum: layout.token_sum,
    consist: layout.consist,
    instruction_card_id: packed.find((p) => p.card.type === "task.instruction")?.card.card_id,
  };
}
