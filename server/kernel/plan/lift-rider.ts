// One wagon made from a turn: its target, its task, and what its receipt says was loaded. Pure. What cannot be told exactly is a
// note on the wagon.

import { instructionRecipe } from "@/server/contract/built-in-recipe";
import { type CardContent, contentText } from "@/server/contract/card";
import type { ReceiptLine } from "@/server/contract/pack";
import type { Load } from "@/server/contract/plan/plan";
import type { GivenTurn } from "./read-given";

/** As written in a plan; fields with defaults are left out. */
export type LiftedRider = {
  target: { strategy: "new" | "reuse" | "clone"; ref: string; profile_box_id?: string };
  instruction: string;
  load: Load[];
  recipe?: string;
  arguments?: Record<string, unknown>;
  attempts?: number;
  context_pack?: { ref: string };
};
export type Lifted = { rider: LiftedRider; notes: string[] };

/** Where results of other turns of the same plan come from: by box, the place whose output it is; by card, whose deliverable. */
export type Sources = { boxes: ReadonlyMap<string, string>; cards: ReadonlyMap<string, string> };

const LOADS_MAX = 64;

export function liftRider(turn: GivenTurn, sources: Sources): Lifted {
  const notes: string[] = [];
  const { receipt } = turn;
  const load = receipt ? loadsOf(turn, receipt.lines) : unreceipted(turn, notes);
  // Without a receipt every card is an entry of its own, those too that were not read.
  const count = receipt ? load.length : load.length + turn.card_count - turn.cards.length;
  if (count > LOADS_MAX)
    notes.push(`It was given ${count} boxes and cards, a wagon takes ${LOADS_MAX}; the rest is left out.`);
  const own = receipt ? argumentsOf(turn, receipt.lines) : {};
  const pack = packOf(turn);
  return {
    rider: {
      target: targetOf(turn),
      instruction: instructionOf(turn, notes),
      load: load.slice(0, LOADS_MAX).map((entry) => fromSource(entry, sources)),
      ...(receipt?.recipe && { recipe: `${receipt.recipe.name}@${receipt.recipe.version}` }),
      ...(Object.keys(own).length > 0 && { arguments: own }),
      ...(turn.attempts_max !== null && turn.attempts_max > 1 && { attempts: Math.min(turn.attempts_max, 5) }),
      ...(pack && { context_pack: pack }),
    },
    notes: [...notes, ...(receipt && !receipt.recipe ? ownRules(receipt.lines, receipt.order) : [])],
  };
}

function targetOf({
  target_strategy,
  agent_id,
  derived_from,
  profile_name,
  profile_box_id,
}: GivenTurn): LiftedRider["target"] {
  if (target_strategy === "reuse") return { strategy: "reuse", ref: agent_id };
  if (target_strategy === "clone" && derived_from !== null) return { strategy: "clone", ref: derived_from };
  return { strategy: "new", ref: profile_name, profile_box_id };
}

export function instructionOf({ cards }: GivenTurn, notes: string[]): string {
  const task = cards.findLast(({ type }) => type === "task.instruction");
  if (task?.content) return contentText(task.content);
  if (task) {
    notes.push("The content of its instruction was deleted. Write what is to be done.");
    return "";
  }
  notes.push("It was given no instruction of its own. Write what is to be done.");
  return "";
}

/** Neighbours from one box are one load. A clone's memory is loaded by cloning. */
export function loadsOf({ cards, target_strategy }: GivenTurn, lines: readonly ReceiptLine[]): Load[] {
  const originals = new Map(cards.map(({ card_id, redacted_from }) => [card_id, redacted_from ?? card_id]));
  const found = new Map<string, Load>();
  for (const { verdict, reason, origin, box_id, card_id } of lines) {
    // What a task before it did not deliver was waited for, and not loaded.
    if (verdict === "withheld" && /(failed|timed out|was canceled)$/.test(reason ?? "")) continue;
    if (box_id !== undefined) found.set(`box ${box_id}`, { box: box_id });
    else if (origin === "card" && card_id !== undefined) {
      const card = originals.get(card_id) ?? card_id;
      found.set(`card ${card}`, { card });
    }
  }
  const loads = [...found.values()];
  // The kernel adds the memory after the boxes that were named as such, and before everything that a plan loads in order.
  if (target_strategy !== "clone") return loads;
  const memory = loads.findIndex((load) => "box" in load);
  return memory < 0 ? loads : loads.toSpliced(memory, 1);
}

/** The pack that it was handed with its task; one that it inherited with a box is loaded with that box. */
function packOf({ cards, receipt }: GivenTurn): { ref: string } | null {
  const line = receipt?.lines.find(({ origin }) => origin === "pack");
  const ref = cards.find(({ card_id }) => card_id === line?.card_id)?.pack_ref;
  return ref ? { ref } : null;
}

/** Imports and forks: the context is there, and how it came about is not recorded. */
function unreceipted({ context_box_id, forked_from, cards }: GivenTurn, notes: string[]): Load[] {
  const task = cards.findLast(({ type }) => type === "task.instruction");
  const others = cards.filter(({ card_id, type }) => card_id !== task?.card_id && !type.startsWith("sys."));
  if (context_box_id !== null && forked_from !== null) {
    const says = `Its context was made by a fork of ${forked_from}; loaded as box ${context_box_id}, without its instruction.`;
    notes.push(says);
  } else if (others.length > 0)
    notes.push("How its context was packed is not recorded; its cards are loaded, without its instruction.");
  return others.map(({ card_id }) => ({ card: card_id }));
}

/** Arguments that the recipe made cards of. */
export function argumentsOf({ cards }: GivenTurn, lines: readonly ReceiptLine[]): Record<string, unknown> {
  const byId = new Map(cards.map((card) => [card.card_id, card]));
  return Object.fromEntries(
    lines.flatMap(({ origin, card_id }) => {
      const [, key] = /^arg:(.+)$/.exec(origin) ?? [];
      const content = byId.get(card_id ?? "")?.content;
      return key === undefined || key === "instruction" || !content ? [] : [[key, argumentOf(content)]];
    }),
  );
}

const argumentOf = (content: CardContent): unknown =>
  content.kind === "json" ? content.data : content.kind === "fields_schema" ? content.fields : contentText(content);

/** A hand-over of its own leaves its marks, and is not recorded itself. */
export function ownRules(lines: readonly ReceiptLine[], order: string): string[] {
  const isPlain =
    order === instructionRecipe.context_packing_config.order &&
    lines.every(({ verdict, reason }) => verdict !== "redacted" && !reason?.startsWith("the recipe"));
  return isPlain
    ? []
    : ["It was packed by rules of its own, which are not recorded; here it is packed by the built-in recipe."];
}

function fromSource(load: Load, { boxes, cards }: Sources): Load {
  const from = "box" in load ? boxes.get(load.box) : "card" in load ? cards.get(load.card) : undefined;
  if (from === undefined) return load;
  return { from, take: "box" in load ? "output" : "deliverable" };
}
