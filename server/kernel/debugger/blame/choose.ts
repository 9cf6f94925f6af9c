// Which of the cards that carry the words is followed: the one that carries most of them, of equals the one written first, of
// those the nearest. Pure.
import type { Evidence } from "./find-evidence";

/** `history_index`: of an import, which stores all cards at one moment. `at`: position among what was sent. */
export type Found<T> = {
  candidate: T;
  evidence: Evidence;
  created_ms: number;
  history_index: number | null;
  at: number;
};

/** The rest of what was found, best first. */
export type Choice<T> = { best: Found<T>; others: Found<T>[] };

const OTHERS_MAX = 4;
/** Together the cards must carry half of the words, as a near text does. */
const COVERAGE_MIN = 0.5;
const SAME = 1e-9;

export function choose<T>(found: readonly Found<T>[], weights: readonly number[]): Choice<T> | null {
  const [best, ...others] = [...found].sort(byMerit);
  if (!best) return null;
  if (best.evidence.kind === "parts" && coveredBy(found, weights) < COVERAGE_MIN) return null;
  return { best, others: complementary(best, others).slice(0, OTHERS_MAX) };
}

function byMerit<T>(a: Found<T>, b: Found<T>): number {
  const more = b.evidence.coverage - a.evidence.coverage;
  if (Math.abs(more) > SAME) return more;
  return a.created_ms - b.created_ms || (a.history_index ?? -1) - (b.history_index ?? -1) || b.at - a.at;
}

/** The parts that any of them carries. */
function coveredBy<T>(found: readonly Found<T>[], weights: readonly number[]): number {
  const best = new Map<number, number>();
  for (const { evidence } of found)
    for (const [part, coverage] of evidence.parts ?? []) best.set(part, Math.max(best.get(part) ?? 0, coverage));
  return [...best].reduce((sum, [part, coverage]) => sum + coverage * (weights[part] ?? 0), 0);
}

/** Where the words come from several cards, those with parts that the best one lacks stand before those that repeat it. */
function complementary<T>({ evidence }: Found<T>, others: readonly Found<T>[]): Found<T>[] {
  const mine = evidence.parts;
  if (!mine) return [...others];
  const adds = ({ evidence: other }: Found<T>) => [...(other.parts?.keys() ?? [])].some((part) => !mine.has(part));
  return [...others.filter(adds), ...others.filter((other) => !adds(other))];
}
