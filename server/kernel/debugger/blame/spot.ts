// A stretch of one card on the path, and what connects it to the stretch before it. Pure.
import type { BlameEvidence, BlamePlace, BlameRange } from "@/server/contract/blame";
import { type BlameCard, hayOf } from "./blame-card";
import type { Choice } from "./choose";
import { findEvidence } from "./find-evidence";
import { type Needle, needleOf } from "./needle";

export type Spot = {
  card: BlameCard;
  ranges: BlameRange[];
  /** Absent for the start. */
  carried?: { evidence: BlameEvidence; coverage: number };
  others: Spot[];
  found: number;
};

const WORDS_MAX = 300;
const RANGES_MAX = 100;

/** The words of a spot, to be looked for in other cards. */
export function needleAt({ card, ranges }: Spot): Needle | null {
  const { text, isJson } = hayOf(card);
  return needleOf(
    ranges.map(({ start, end }) => text.slice(start, end)),
    { isJson },
  );
}

/** What a search has found, and the next best. */
export function chosenSpot({ best, others, count }: Choice<BlameCard> & { count: number }): Spot {
  const spotOf = ({ candidate, evidence }: typeof best): Spot => ({
    card: candidate,
    ranges: evidence.ranges.slice(0, RANGES_MAX),
    carried: { evidence: evidence.kind, coverage: evidence.coverage },
    others: [],
    found: 1,
  });
  return { ...spotOf(best), others: others.map(spotOf), found: count };
}

/** A card that a record names: the same words in it, or all of it when it says them otherwise. */
export function recordedSpot(card: BlameCard, needle: Needle, evidence: BlameEvidence): Spot {
  const hay = hayOf(card);
  const same = findEvidence(needle, hay);
  const ranges = same?.ranges.slice(0, RANGES_MAX) ?? [{ start: 0, end: hay.text.length }];
  return { card, ranges, carried: { evidence, coverage: 1 }, others: [], found: 1 };
}

export function placeOf(
  { card, ranges }: Spot,
  by: { agent_turn_id: string | null; step_id: string | null },
): BlamePlace {
  const { text } = hayOf(card);
  const { agent_turn_id, step_id } = by;
  return {
    card_id: card.card_id,
    type: card.type,
    author_id: card.author_id,
    tokens: card.tokens,
    created_at: card.created_at,
    range: { start: ranges[0]?.start ?? 0, end: ranges.at(-1)?.end ?? 0 },
    ranges,
    words: firstLetters(ranges.map(({ start, end }) => text.slice(start, end)).join(" … ")),
    ...(agent_turn_id !== null && { agent_turn_id }),
    ...(step_id !== null && { step_id }),
  };
}

/** Whole letters: half of one is no text. */
const firstLetters = (text: string): string =>
  Array.from(text.slice(0, 2 * WORDS_MAX))
    .slice(0, WORDS_MAX)
    .join("");
