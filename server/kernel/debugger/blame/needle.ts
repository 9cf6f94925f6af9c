// What is looked for: the selected words, ready to be compared with many cards. Pure.
import { type Folding, foldText } from "./fold";
import { type Probe, probeOf } from "./may-carry";
import { digitsOf, numberOf } from "./numbers";
import { splitParts } from "./split-parts";
import { type ShingleSize, shinglesOf } from "./words";

/** Shorter words are everywhere: they are compared as a value, or not at all. */
export const LETTERS_MIN = 12;
const DIGITS_MIN = 3;
const SCALAR_LETTERS_MIN = 3;

/** One stretch to find: the whole selection, or one of its parts. */
export type Stretch = { folded: string; size: ShingleSize; shingles: ReadonlySet<string> };

export type Needle = Stretch & {
  /** The number that the selection is. */
  number?: string;
  /** The text that the selection is, if it can be the value of a JSON field. */
  scalar?: string;
  /** Sentences and list items; empty unless there are at least two. `weight` is their share of the characters. */
  parts: readonly (Stretch & { weight: number })[];
  vocabulary: ReadonlySet<string>;
  probe: Probe;
};

/** `texts`: the selection, or several stretches of one card. null if there is nothing to compare. */
export function needleOf(texts: readonly string[], folding: Folding = {}): Needle | null {
  const text = texts.join("\n");
  const whole = stretchOf(text, folding);
  if (whole.folded === "") return null;
  const stretches = texts
    .flatMap((one) => splitParts(one).map(({ start, end }) => stretchOf(one.slice(start, end), folding)))
    .filter(({ folded }) => folded.length >= LETTERS_MIN);
  const letters = stretches.reduce((sum, { folded }) => sum + folded.length, 0);
  const parts = stretches.length < 2 ? [] : stretches.map((one) => ({ ...one, weight: one.folded.length / letters }));
  const all = [whole, ...parts];
  const vocabulary = new Set(all.flatMap(({ shingles }) => [...shingles].flatMap((key) => key.split(" "))));
  const probe = probeOf(vocabulary, Math.min(...all.map(({ size }) => size)));
  return { ...whole, ...scalarOf(whole.folded), parts, vocabulary, probe };
}

function stretchOf(text: string, folding: Folding): Stretch {
  const folded = foldText(text, folding).trim();
  const { size, shingles } = shinglesOf(folded);
  return { folded, size, shingles };
}

// true, false and null are values too, and every second card has them: they say nothing about where a card came from.
function scalarOf(folded: string): Pick<Needle, "number" | "scalar"> {
  const bare = /^"[^"]*"$/.test(folded) ? folded.slice(1, -1) : folded;
  const number = numberOf(bare);
  if (number !== undefined) return digitsOf(number) >= DIGITS_MIN ? { number } : {};
  return bare.length >= SCALAR_LETTERS_MIN && !/^(true|false|null)$/.test(bare) ? { scalar: bare } : {};
}
