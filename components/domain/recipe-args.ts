// Which arguments a recipe has of its own, for a form. What the delegation itself gives is not among them.
import type * as z from "zod";
import type { Handover } from "@/server/contract/pack";

/** card: a text or JSON that becomes a card of that type. boxes, cards: ids. list: boxes and cards in order. */
export type RecipeArg = { name: string; kind: "card" | "boxes" | "cards" | "list"; card_type?: string };

const GIVEN = ["instruction", "load", "profile_name", "input_box_ids", "input_card_ids"];

export function recipeArgs({ context_packing_config }: Handover): RecipeArg[] {
  const { pack_arguments, inherit_context: inherit } = context_packing_config;
  const all: RecipeArg[] = [
    ...pack_arguments.map((rule) => ({
      name: rule.arg_key,
      kind: "card" as const,
      card_type: rule.as_card_type,
    })),
    ...inherit.include_boxes_from_args.map((name) => ({ name, kind: "boxes" as const })),
    ...inherit.include_cards_from_args.map((name) => ({ name, kind: "cards" as const })),
    ...inherit.include_from_args.map((name) => ({ name, kind: "list" as const })),
  ];
  const seen = new Set(GIVEN);
  return all.filter(({ name }) => !seen.has(name) && seen.add(name));
}

export const argHint = ({ kind, card_type }: RecipeArg): string =>
  kind === "card"
    ? `Becomes a card ${card_type ?? ""}. Leave it empty to pack no such card`
    : kind === "list"
      ? 'A JSON list of {"box_id": "…"} or {"card_id": "…"}, packed in this order'
      : `A JSON list of ${kind === "boxes" ? "box" : "card"} ids, or one id`;

type JsonValue = z.core.util.JSONType;

/** A list or an object where it is written as one, else the text itself: "12" stays a text. */
export function argValue(text: string): JsonValue {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
