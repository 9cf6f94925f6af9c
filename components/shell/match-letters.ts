// Which letters of a row the typed words hit, and how well: pure, so that the order of the palette is tested.

export type Range = { from: number; to: number };

export type Match = { score: number; ranges: Range[] };

/** Best first: the start of the text, the start of a word, inside a word, then letters in order from word starts. */
export function matchWord(text: string, word: string): Match | null {
  const lower = text.toLowerCase();
  const wanted = word.toLowerCase();
  if (wanted === "" || lower.length !== text.length) return null;
  const places = placesOf(lower, wanted);
  const first = places.find((at) => isWordStart(text, at)) ?? places[0];
  if (first !== undefined) {
    const score = first === 0 ? 100 : isWordStart(text, first) ? 80 : 60;
    return { score, ranges: [{ from: first, to: first + wanted.length }] };
  }
  const letters = lettersInOrder(text, lower, wanted);
  return letters === null ? null : { score: 30, ranges: joinRanges(letters) };
}

/** Splits a text at the ranges, for drawing. */
export function markRanges(text: string, ranges: readonly Range[]): { text: string; from: number; isHit: boolean }[] {
  const parts: { text: string; from: number; isHit: boolean }[] = [];
  let at = 0;
  for (const range of joinRanges(ranges)) {
    if (range.from > at) parts.push({ text: text.slice(at, range.from), from: at, isHit: false });
    parts.push({ text: text.slice(range.from, range.to), from: range.from, isHit: true });
    at = range.to;
  }
  if (at < text.length) parts.push({ text: text.slice(at), from: at, isHit: false });
  return parts;
}

function placesOf(text: string, word: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) places.push(at);
  return places;
}

/** "plpl" finds Principal_Planner by P, and then on; it must begin at a word and may not scatter over the whole row. */
function lettersInOrder(text: string, lower: string, word: string): Range[] | null {
  if (word.length < 2) return null;
  for (let start = 0; start < text.length; start += 1) {
    if (lower[start] !== word[0] || !isWordStart(text, start)) continue;
    const ranges: Range[] = [];
    let at = start;
    for (const letter of word) {
      const place = lower.indexOf(letter, at);
      if (place < 0) break;
      ranges.push({ from: place, to: place + 1 });
      at = place + 1;
    }
    if (ranges.length === word.length && at - start <= word.length * 4) return ranges;
  }
  return null;
}

function isWordStart(text: string, at: number): boolean {
  if (at === 0) return true;
  const before = text.charAt(at - 1);
  const here = text.charAt(at);
  return /[^\p{L}\p{N}]/u.test(before) || (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(here));
}

function joinRanges(ranges: readonly Range[]): Range[] {
  const sorted = [...ranges].sort((a, b) => a.from - b.from);
  const joined: Range[] = [];
  for (const range of sorted) {
    const last = joined.at(-1);
    if (last !== undefined && range.from <= last.to) last.to = Math.max(last.to, range.to);
    else joined.push({ ...range });
  }
  return joined;
}
