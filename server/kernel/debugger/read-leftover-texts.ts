// The beginning of each text that may have been rewritten. Only cards whose type and author are left over on both sides are read.
import type { DiffCard } from "@/server/contract/box-diff/match-cards";
import type { Leftover } from "@/server/contract/box-diff/pair-alike";
import { type Reader, read } from "../reader";

/** Of each box. The others are counted as unpaired. */
const CARDS_MAX = 2_000;
/** Letters of each card. */
const LETTERS_MAX = 2_000;

const TEXTS = `
  SELECT c.card_id, left(CASE c.content ->> 'kind' WHEN 'text' THEN c.content ->> 'text' ELSE (c.content - 'kind')::text END, ${LETTERS_MAX}) AS text
  FROM cards c WHERE c.tenant_id = $1 AND c.card_id = ANY ($2::text[]) AND c.deleted_at IS NULL
    AND (c.expires_at IS NULL OR c.expires_at > now())`;

type Sides<T> = { a: T; b: T };
type Asked = { project_id: string; cards: Sides<readonly DiffCard[]>; left: Sides<readonly number[]> };
export type LeftoverTexts = Sides<Leftover[]> & { unpaired: number };

export async function readLeftoverTexts(reader: Reader, { project_id, cards, left }: Asked): Promise<LeftoverTexts> {
  const keyOf = ({ type, author_id }: DiffCard): string => JSON.stringify([type, author_id]);
  const placed = (side: "a" | "b") =>
    left[side].flatMap((at) => {
      const card = cards[side][at];
      return card ? [{ at, card }] : [];
    });
  const [a, b] = [placed("a"), placed("b")];
  const keys = (side: typeof a) => new Set(side.map(({ card }) => keyOf(card)));
  const [keysA, keysB] = [keys(a), keys(b)];
  const possible = {
    a: a.filter(({ card }) => keysB.has(keyOf(card))),
    b: b.filter(({ card }) => keysA.has(keyOf(card))),
  };
  const chosen = { a: possible.a.slice(0, CARDS_MAX), b: possible.b.slice(0, CARDS_MAX) };
  const unpaired = possible.a.length + possible.b.length - chosen.a.length - chosen.b.length;
  if (chosen.a.length === 0) return { a: [], b: [], unpaired };
  const ids = [...new Set([...chosen.a, ...chosen.b].map(({ card }) => card.card_id))];
  const rows = await read<{ card_id: string; text: string | null }>(reader, "diff_texts", TEXTS, [project_id, ids]);
  const texts = new Map(rows.map(({ card_id, text }) => [card_id, text ?? ""]));
  const withText = (side: typeof a): Leftover[] =>
    side.map((one) => ({ ...one, text: texts.get(one.card.card_id) ?? "" }));
  return { a: withText(chosen.a), b: withText(chosen.b), unpaired };
}
