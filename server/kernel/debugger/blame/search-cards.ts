// Compares cards with the selected words, within the limits of one question. Texts are read in portions, and the comparison
// makes way for other requests: a long one once held every other answer of the process.
import { setImmediate as makeWay } from "node:timers/promises";
import type { Reader } from "../../reader";
import { type BlameCard, hayOf, readBlameCards, readBlameTexts } from "./blame-card";
import { type Choice, choose, type Found } from "./choose";
import { findEvidence } from "./find-evidence";
import type { Needle } from "./needle";
import { CARDS_MAX, type SentLine } from "./read-sent";

const SLICE_MS = 20;
/** About 4 MB: rows of more fill the memory. */
const PORTION_TOKENS = 1_000_000;
/** A statement each. */
const PORTIONS_MAX = 16;

/** What one question has looked at, and may still. */
export type Budget = {
  deadline: number;
  cards: Set<string>;
  turns: Set<string>;
  is_partial: boolean;
};

export const budgetUntil = (deadline: number): Budget => ({
  deadline,
  cards: new Set(),
  turns: new Set(),
  is_partial: false,
});

export const isSpent = ({ deadline }: Budget): boolean => performance.now() >= deadline;

function isCutShort(budget: Budget): boolean {
  if (!isSpent(budget)) return false;
  budget.is_partial = true;
  return true;
}

type Searching = {
  project_id: string;
  needle: Needle;
  /** First written first. */
  sent: readonly SentLine[];
  budget: Budget;
};
export async function searchCards(
  reader: Reader,
  { project_id, needle, sent, budget }: Searching,
): Promise<(Choice<BlameCard> & { count: number }) | null> {
  const found: Found<string>[] = [];
  if (sent.length > CARDS_MAX) budget.is_partial = true;
  let portions = 0;
  for (const portion of portionsOf(sent.slice(0, CARDS_MAX))) {
    if (++portions > PORTIONS_MAX) budget.is_partial = true;
    if (portions > PORTIONS_MAX || isCutShort(budget)) break;
    const texts = await readBlameTexts(reader, { project_id, card_ids: portion.map(({ card_id }) => card_id) });
    let slice = performance.now();
    for (const { card_id, created_ms, history_index, at } of portion) {
      const content = texts.get(card_id) ?? null;
      if (content === null) continue;
      budget.cards.add(card_id);
      const evidence = findEvidence(needle, hayOf({ content }));
      if (evidence) found.push({ candidate: card_id, evidence, created_ms, history_index, at });
      if (performance.now() - slice < SLICE_MS) continue;
      if (isCutShort(budget)) break;
      await makeWay();
      slice = performance.now();
    }
  }
  const choice = choose(
    found,
    needle.parts.map(({ weight }) => weight),
  );
  return choice && withCards(reader, project_id, choice, found.length);
}

/** Of those that are followed, all is read. One that was deleted meanwhile is found no more. */
async function withCards(
  reader: Reader,
  project_id: string,
  { best, others }: Choice<string>,
  count: number,
): Promise<(Choice<BlameCard> & { count: number }) | null> {
  const card_ids = [best, ...others].map(({ candidate }) => candidate);
  const cards = await readBlameCards(reader, { project_id, card_ids });
  const [first, ...rest] = [best, ...others].flatMap((found) => {
    const candidate = cards.get(found.candidate);
    return candidate?.content ? { ...found, candidate } : [];
  });
  return first ? { best: first, others: rest, count } : null;
}

function* portionsOf(sent: readonly SentLine[]): Generator<SentLine[]> {
  let portion: SentLine[] = [];
  let tokens = 0;
  for (const fact of sent) {
    if (portion.length > 0 && tokens + fact.tokens > PORTION_TOKENS) {
      yield portion;
      portion = [];
      tokens = 0;
    }
    portion.push(fact);
    tokens += fact.tokens;
  }
  if (portion.length > 0) yield portion;
}
