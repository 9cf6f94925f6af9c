// The runs of words of a text as numbers: two texts are alike if they have many of them in common, wherever they stand.

/** Short texts are compared by runs of three words: one changed word in eight would leave no run of five. */
const SHORT_WORDS = 12;
/** Above three times the length of the other, half of the runs cannot be in common. */
const SHORT_MATE_WORDS = 3 * SHORT_WORDS;
const RUN = 5;
const SHORT_RUN = 3;
/** Of scripts without blanks, letters. */
const LETTERS_RUN = 6;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/gu;

/** Sorted, without repeats. `short`: for texts that a short one could be like. `long`: for texts that are not short. */
export type Shingles = { short?: Uint32Array; long?: Uint32Array; is_short: boolean };

export function shinglesOf(text: string): Shingles {
  const folded = text.normalize("NFKC").toLowerCase();
  const unspaced = folded.match(UNSPACED)?.length ?? 0;
  if (unspaced * 3 > folded.length) {
    const letters = [...folded.replace(/\s+/gu, "")];
    return { is_short: false, long: runsOf(letters.map(hashOf), LETTERS_RUN) };
  }
  const words = folded.split(/\s+/u).filter((word) => word !== "");
  const hashes = words.map(hashOf);
  const is_short = words.length < SHORT_WORDS;
  return {
    is_short,
    ...(words.length < SHORT_MATE_WORDS && { short: runsOf(hashes, SHORT_RUN) }),
    ...(!is_short && { long: runsOf(hashes, RUN) }),
  };
}

/** The share of the runs that both have, 0 to 1: twice the common ones of all. */
export function shareOf(one: Shingles, other: Shingles): number {
  const isShort = one.is_short || other.is_short;
  const [a, b] = isShort ? [one.short, other.short] : [one.long, other.long];
  if (!a || !b || a.length + b.length === 0) return 0;
  let [i, j, common] = [0, 0, 0];
  while (i < a.length && j < b.length) {
    const [x, y] = [a[i] ?? 0, b[j] ?? 0];
    if (x === y) common++;
    if (x <= y) i++;
    if (y <= x) j++;
  }
  return (2 * common) / (a.length + b.length);
}

/** A text shorter than a run is one run. */
function runsOf(hashes: readonly number[], length: number): Uint32Array {
  const runs = new Set<number>();
  if (hashes.length > 0 && hashes.length < length) runs.add(mixed(hashes, 0, hashes.length));
  for (let at = 0; at + length <= hashes.length; at++) runs.add(mixed(hashes, at, length));
  return Uint32Array.from(runs).sort();
}

function mixed(hashes: readonly number[], from: number, length: number): number {
  let sum = length;
  for (let at = from; at < from + length; at++) sum = Math.imul(sum ^ (hashes[at] ?? 0), 0x9e3779b1) ^ (sum >>> 15);
  return (sum ^ (sum >>> 13)) >>> 0;
}

function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
