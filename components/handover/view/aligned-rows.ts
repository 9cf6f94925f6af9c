// The rows of a hand-over as they are drawn: each with its tracks, and a heading where a column goes on in another box. Pure.

import type { HandoverRow } from "@/server/contract/handover-diff";
import type { CardLine } from "@/server/contract/line";

/** How a card crosses the gap between two columns. */
export type Crossing = "through" | "stops" | "starts" | "none";

export type DrawnRow = {
  /** Of the address: the card it is about. */
  key: string;
  row: HandoverRow;
  /** Between what the caller had and what was packed, and from there to what the callee saw. */
  crossings: readonly [Crossing, Crossing];
  /** Points, of the track. */
  weight: number;
};

export type Heading = { had?: HadPart; saw?: SawPart };
export type HadPart = NonNullable<HandoverRow["had"]>["in"];
export type SawPart = NonNullable<HandoverRow["saw"]>["in"];
export type Drawn = { heading: Heading } | DrawnRow;

/** A heading stands in front of the first row of each part of a column. */
export function alignedRows(rows: readonly HandoverRow[]): Drawn[] {
  const drawn: Drawn[] = [];
  let had: HadPart | undefined;
  let saw: SawPart | undefined;
  for (const row of rows) {
    const heading: Heading = {
      ...(row.had && row.had.in !== had && { had: row.had.in }),
      ...(row.saw && row.saw.in !== saw && { saw: row.saw.in }),
    };
    if (heading.had !== undefined || heading.saw !== undefined) drawn.push({ heading });
    had = row.had?.in ?? had;
    saw = row.saw?.in ?? saw;
    drawn.push(drawnRow(row));
  }
  return drawn;
}

function drawnRow(row: HandoverRow): DrawnRow {
  const { had, packed, saw } = row;
  const card = cardOf(row);
  return {
    key: card?.card_id ?? "",
    row,
    crossings: [crossing(had, packed ?? (had && saw)), crossing(packed ?? (saw && had), saw)],
    weight: weightOf(card?.token_count ?? 0),
  };
}

/** The card that stands for the row: as the callee saw it, else as far as it came. */
export const cardOf = ({ saw, packed, had, card }: HandoverRow): CardLine | undefined => saw ?? packed ?? had ?? card;

function crossing(before: unknown, after: unknown): Crossing {
  if (before !== undefined) return after === undefined ? "stops" : "through";
  return after === undefined ? "none" : "starts";
}

const THIN = 1.5;
const THICK = 6;
/** From here on a card is drawn as heavy as it gets. */
const HEAVY_TOKENS = 8_000;

/** On a log scale: 50,000 tokens beside 50 would leave nothing else to see. */
function weightOf(tokens: number): number {
  const share = Math.log1p(Math.max(0, tokens)) / Math.log1p(HEAVY_TOKENS);
  return Number((THIN + (THICK - THIN) * Math.min(1, share) ** 2).toFixed(2));
}

/** Each column by itself, in its own order, as its reader met it. */
export function readingRows(rows: readonly HandoverRow[]): Record<"had" | "packed" | "saw", DrawnRow[]> {
  const column = (name: "had" | "packed" | "saw"): DrawnRow[] =>
    rows
      .filter((row) => row[name] !== undefined)
      .toSorted((one, other) => (one[name]?.at ?? 0) - (other[name]?.at ?? 0))
      .map(drawnRow);
  return { had: column("had"), packed: column("packed"), saw: column("saw") };
}
