// A quick look that leaves out cards which cannot carry any shingle: without it, taking every card apart into words was four
// fifths of the work. It may let a card pass that carries none, and never leaves one out that does. Pure.

/** `run`: so many words of the selection must follow each other. null = no quick look: some of its words have no plain letters. */
export type Probe = { pieces: ReadonlySet<number>; run: number } | null;

/** For the words of all shingles, and the shortest of these. Words are compared by their plain letters alone. */
export function probeOf(vocabulary: Iterable<string>, run: number): Probe {
  const pieces = new Set<number>();
  for (const word of vocabulary) {
    const found = word.match(/[a-z0-9]+/g);
    if (!found) return null;
    for (const piece of found) pieces.add(hashOf(piece));
  }
  return { pieces, run };
}

/** `folded` has no capital letters. */
export function mayCarry(folded: string, probe: Probe): boolean {
  if (!probe) return true;
  const { pieces, run } = probe;
  let inARow = 0;
  let hash = 0;
  let isWord = false;
  // A number has many spellings, of one piece or several: its digits may always be those of the selection.
  let hasLetter = false;
  for (let i = 0; i <= folded.length; i++) {
    const code = i < folded.length ? folded.charCodeAt(i) : 0;
    const isDigit = code >= 48 && code <= 57;
    if (isDigit || (code >= 97 && code <= 122)) {
      hash = (Math.imul(hash, 31) + code) | 0;
      isWord = true;
      hasLetter ||= !isDigit;
    } else if (isWord) {
      inARow = !hasLetter || pieces.has(hash) ? inARow + 1 : 0;
      if (inARow >= run) return true;
      hash = 0;
      isWord = false;
      hasLetter = false;
    }
  }
  return false;
}

function hashOf(piece: string): number {
  let hash = 0;
  for (let i = 0; i < piece.length; i++) hash = (Math.imul(hash, 31) + piece.charCodeAt(i)) | 0;
  return hash;
}
