// Text as blame compares it: NFKC, every run of whitespace one blank, case folded, and the way back to offsets of the original.
// Pure. Each piece folds by itself, so that a folded offset belongs to one piece of the original.

/** Offsets are UTF-16 units; `end` is exclusive. */
export type Range = { start: number; end: number };
/** `isJson`: text in JSON strings is compared without its escapes, as the model that read it wrote it down. */
export type Folding = { isJson?: boolean };

// Signs that compose with what is before them: marks, Hangul vowels and tails, the half-width marks of kana.
const JOINS = "[\\p{M}\\u1160-\\u11ff\\uff9e\\uff9f\\uffa0-\\uffdc]";
const CLUSTER = `[^]${JOINS}*`;
const PLAIN = `[\\x21-\\x7e]+(?!${JOINS})`;
const PIECES = new RegExp(`\\s+|${PLAIN}|${CLUSTER}`, "gu");
const ESCAPED = `\\\\(?:["\\\\/bfnrt]|u[0-9a-fA-F]{4})`;
const ESCAPE = new RegExp(`^${ESCAPED}$`);
const JSON_PIECES = new RegExp(`\\s+|${ESCAPED}|[\\x21-\\x5b\\x5d-\\x7e]+(?!${JOINS})|${CLUSTER}`, "gu");
// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with control characters
const ASCII = /^[\x00-\x7f]*$/;

export function foldText(text: string, folding: Folding = {}): string {
  // Most cards: folding them piece by piece took twenty times as long.
  if (ASCII.test(text) && !(folding.isJson && text.includes("\\"))) return text.toLowerCase().replace(/\s+/g, " ");
  const folded: string[] = [];
  for (const { said } of piecesOf(text, folding)) folded.push(said);
  return folded.join("");
}

/** The range of the original that a range of its folded text stands for: plain words by the letter, else whole pieces. */
export function unfoldRange(text: string, { start, end }: Range, folding: Folding = {}): Range {
  let at = 0;
  let found: Range | undefined;
  for (const { said, from, to } of piecesOf(text, folding)) {
    const before = at;
    at += said.length;
    if (before >= end) break;
    if (at <= start) continue;
    const isByLetter = said.length === to - from;
    const first = from + (isByLetter ? Math.max(0, start - before) : 0);
    found = { start: found?.start ?? first, end: isByLetter ? Math.min(to, from + end - before) : to };
  }
  return found ?? { start: 0, end: 0 };
}

type Piece = { said: string; from: number; to: number };

function* piecesOf(text: string, folding: Folding): Generator<Piece> {
  let isBlank = false;
  for (const match of text.matchAll(folding.isJson ? JSON_PIECES : PIECES)) {
    const [piece] = match;
    const folded = foldPiece(piece, folding);
    const said = isBlank && folded.startsWith(" ") ? folded.slice(1) : folded;
    if (folded !== "") isBlank = folded.endsWith(" ");
    yield { said, from: match.index, to: match.index + piece.length };
  }
}

function foldPiece(piece: string, { isJson }: Folding): string {
  const said = isJson && ESCAPE.test(piece) ? String(JSON.parse(`"${piece}"`)) : piece;
  // Upper case first: the German sharp s and the Greek final sigma share no lower-case letter with their other forms.
  const plain = ASCII.test(said) ? said.toLowerCase() : caseless(said.normalize("NFKC")).normalize("NFKC");
  return plain.replace(/\s+/gu, " ");
}

const caseless = (text: string): string => Array.from(text, (sign) => sign.toUpperCase().toLowerCase()).join("");
