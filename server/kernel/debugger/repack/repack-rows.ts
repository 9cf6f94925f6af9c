// The rows of a hand-over that was packed again, with the words of their cards, and what each verdict comes to. Two statements: the
// cards that are held, and the boxes that they come from.
import { formatConsist } from "@/server/contract/consist";
import type { ColumnWeight, Weight } from "@/server/contract/handover-diff";
import type { PackResult } from "@/server/contract/pack";
import { REPACK_ROWS_MAX, type Repack, type RepackedCard, type RepackRow } from "@/server/contract/repack";
import { titleOf } from "../../cardbox/card-line";
import { readBoxIds } from "../../cardbox/read-box";
import { type ExpandedReceipt, expandLines, sourcesOf } from "../../context/expand-receipt";
import type { Unit } from "../../unit";
import { missingLine, readCardLines } from "../read-card-lines";
import { type PackedCard, pairPacks } from "./pair-packs";
import { originalsOf, reasonsOf } from "./repack-reasons";

type Sides = {
  project_id: string;
  held: { cards: readonly { card_id: string; origin: string }[]; lines: ExpandedReceipt["lines"] };
  now: Pick<PackResult, "preview" | "receipt">;
  singles: readonly string[];
  rewritten: ReadonlySet<string>;
  /** Those that the receipt of what is held names. */
  boxes: ReadonlyMap<string, string[]>;
};
type Listed = PackedCard & RepackedCard;
type Shown = Pick<Extract<Repack, { ok: true }>, "held" | "now" | "verdicts" | "rows" | "rows_total">;

export async function repackRows(unit: Unit, sides: Sides): Promise<Shown> {
  const { project_id, held, now, singles, boxes } = sides;
  const { preview = [], receipt } = now;
  const ids = await readBoxIds(unit, { project_id, box_ids: sourcesOf(receipt) });
  const lines = expandLines(receipt, ids);
  const stored = await readCardLines(unit, { project_id, card_ids: held.cards.map(({ card_id }) => card_id) });
  const wereFrom = originalsOf(held.lines, boxes, (_n, card_id) => stored.get(card_id)?.redacted_from);
  const areFrom = originalsOf(lines, ids, (n) => singles[n]);
  const before = held.cards.map(({ card_id, origin }, at): Listed => {
    const { type, role, token_count, title } = stored.get(card_id) ?? missingLine(card_id);
    return { card_id, origin, type, role, token_count, title, at, is_new: false, original: wereFrom.get(card_id) };
  });
  const after = preview.map(({ text, ...card }, at): Listed => {
    // A card that is in both has one title: what is packed now is known by its text alone, without its fields' names.
    const title = stored.get(card.card_id)?.title ?? titleOf(text);
    return { ...card, title, at, original: areFrom.get(card.card_id) };
  });
  const reasonOf = reasonsOf({ lines, held: held.lines });
  let at = 0;
  const rows = pairPacks(before, after, sides.rewritten).map((pair): RepackRow => {
    const reason = reasonOf(pair);
    return {
      verdict: pair.verdict,
      ...(pair.held && { held: bare(pair.held) }),
      // The kernel's own cards are taken over from what is held, and stand at another place.
      ...(pair.now && { now: { ...bare(pair.now), at: at++ } }),
      ...(reason !== undefined && { reason }),
    };
  });
  const of = (verdict: RepackRow["verdict"]): Weight =>
    weigh(rows.flatMap((row) => (row.verdict === verdict ? (row.now ?? row.held ?? []) : [])));
  return {
    held: columnOf(before),
    now: columnOf(rows.flatMap((row) => row.now ?? [])),
    verdicts: { left_out: of("left_out"), changed: of("changed"), added: of("added"), same: of("same") },
    rows: capped(rows),
    rows_total: rows.length,
  };
}

const bare = ({ card_id, type, role, token_count, title, at, is_new }: Listed): RepackedCard => {
  return { card_id, type, role, token_count, title, at, is_new };
};

const weigh = (cards: readonly RepackedCard[]): Weight => ({
  cards: cards.length,
  tokens: cards.reduce((sum, { token_count }) => sum + token_count, 0),
});

const columnOf = (cards: readonly RepackedCard[]): ColumnWeight => ({
  ...weigh(cards),
  consist: formatConsist(cards.map(({ role, token_count: tokens }) => ({ role, tokens }))),
});

/** A thousand cards that stayed must not hide the one that did not. */
function capped(rows: readonly RepackRow[]): RepackRow[] {
  let left = REPACK_ROWS_MAX - rows.filter(({ verdict }) => verdict !== "same").length;
  return rows.filter(({ verdict }) => verdict !== "same" || left-- > 0).slice(0, REPACK_ROWS_MAX);
}
