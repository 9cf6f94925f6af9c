// A turn holds inherited cards that no receipt accounts for. With a receipt that is a fault of the program, and the box is the
// subject; an import has none, and one alarm for the box that its turns inherited from says so. Pure.
import type { AskedEdge } from "../debugger/judge-edge";

export type OffRecipe = { box_id: string; cards: number; tokens: number; has_receipt: "yes" | "no" };

const INHERITED = /^(?:box:(.+)|card)$/;

export function offRecipe({
  edge,
  boxes,
  lines,
  tokensOf,
}: AskedEdge & { tokensOf: (id: string) => number }): OffRecipe[] {
  const accounted = new Set(
    lines.flatMap(({ card_id, verdict }) => (verdict === "included" || verdict === "redacted" ? card_id : [])),
  );
  const found = new Map<string, OffRecipe>();
  for (const { card_id, origin } of boxes.packed) {
    const [inherited, source] = INHERITED.exec(origin) ?? [];
    if (inherited === undefined || accounted.has(card_id)) continue;
    const box_id = edge.receipt ? edge.context_box_id : (source ?? edge.context_box_id);
    const known = found.get(box_id) ?? { box_id, cards: 0, tokens: 0, has_receipt: edge.receipt ? "yes" : "no" };
    found.set(box_id, { ...known, cards: known.cards + 1, tokens: known.tokens + tokensOf(card_id) });
  }
  return [...found.values()];
}
