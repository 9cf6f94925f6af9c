// Where the shingles of a selection are in a card: one walk over its words, whatever the number of parts. Pure.
import type { Needle } from "./needle";
import { keyOf, type ShingleSize, signsOf, type Word, wordsOf } from "./words";

/** `at`: the number of its first word. `start` and `end`: offsets in the folded text. */
export type ShingleHit = { key: string; at: number; start: number; end: number };
export type ShingleHits = ReadonlyMap<ShingleSize, ShingleHit[]>;

export function findShingles(folded: string, needle: Needle): ShingleHits {
  const wanted = new Map<ShingleSize, Set<string>>();
  for (const { size, shingles } of [needle, ...needle.parts]) {
    const keys = wanted.get(size) ?? new Set();
    for (const key of shingles) keys.add(key);
    wanted.set(size, keys);
  }
  const sizes = [...wanted.keys()];
  const found = new Map<ShingleSize, ShingleHit[]>();
  const search = (words: Iterable<Word>, of: readonly ShingleSize[]): void => {
    if (of.length === 0) return;
    for (const run of runsOf(words, needle.vocabulary))
      for (const size of of) collect(run, { size, keys: wanted.get(size) ?? new Set(), found });
  };
  search(
    wordsOf(folded),
    sizes.filter((size) => size !== 6),
  );
  search(
    signsOf(folded),
    sizes.filter((size) => size === 6),
  );
  return found;
}

type Run = { first: number; words: Word[] };

/** Stretches in which every word is one of the selection's: building keys of all others took most of the time. */
function* runsOf(words: Iterable<Word>, vocabulary: ReadonlySet<string>): Generator<Run> {
  let run: Word[] = [];
  let at = 0;
  for (const word of words) {
    if (vocabulary.has(word.word)) run.push(word);
    else if (run.length > 0) {
      yield { first: at - run.length, words: run };
      run = [];
    }
    at++;
  }
  if (run.length > 0) yield { first: at - run.length, words: run };
}

type Collecting = { size: ShingleSize; keys: ReadonlySet<string>; found: Map<ShingleSize, ShingleHit[]> };

function collect({ first, words }: Run, { size, keys, found }: Collecting): void {
  for (let i = 0; i + size <= words.length; i++) {
    const key = keyOf(words, i, size);
    const [from, to] = [words[i], words[i + size - 1]];
    if (!keys.has(key) || !from || !to) continue;
    const hit = { key, at: first + i, start: from.start, end: to.end };
    const list = found.get(size);
    if (list) list.push(hit);
    else found.set(size, [hit]);
  }
}
