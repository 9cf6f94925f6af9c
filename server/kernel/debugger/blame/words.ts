// The words of a folded text and their shingles: stretches of five words, of three in a short text, and of six signs in scripts
// without blanks. Pure.
import { spelled } from "./numbers";

export type Word = { word: string; start: number; end: number };
export type ShingleSize = 3 | 5 | 6;

const WORDS_LONG = 12;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const UNSPACED_ALL = new RegExp(UNSPACED, "gu");
// A number is one word in one spelling, or "1,234.50" and "1234.5" would break every shingle around them.
const NUMBER_OR_WORD = /\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\p{L}\p{N}])|\d+\.\d+(?![\p{L}\p{N}.])|[\p{L}\p{N}\p{M}]+/gu;
const SIGN = /[\p{L}\p{N}\p{M}]/gu;

export function* wordsOf(folded: string): Generator<Word> {
  for (const match of folded.matchAll(NUMBER_OR_WORD)) {
    const [text] = match;
    const word = /^\d+(?:[.,]\d+)*$/.test(text) ? spelled(text) : text;
    yield { word, start: match.index, end: match.index + text.length };
  }
}

export function* signsOf(folded: string): Generator<Word> {
  for (const match of folded.matchAll(SIGN))
    yield { word: match[0], start: match.index, end: match.index + match[0].length };
}

/** What to shingle: at least half of its letters in a script without blanks makes it signs. */
export function shinglesOf(folded: string): { size: ShingleSize; shingles: Set<string>; words: Word[] } {
  const letters = folded.match(SIGN)?.length ?? 0;
  const isUnspaced = letters > 0 && (folded.match(UNSPACED_ALL)?.length ?? 0) * 2 >= letters;
  const words = [...(isUnspaced ? signsOf(folded) : wordsOf(folded))];
  const size = isUnspaced ? 6 : words.length < WORDS_LONG ? 3 : 5;
  const shingles = new Set<string>();
  for (let i = 0; i + size <= words.length; i++) shingles.add(keyOf(words, i, size));
  return { size, shingles, words };
}

/** Words contain no blanks. */
export function keyOf(words: readonly Pick<Word, "word">[], from: number, size: number): string {
  let key = words[from]?.word ?? "";
  for (let i = from + 1; i < from + size; i++) key += ` ${words[i]?.word ?? ""}`;
  return key;
}
