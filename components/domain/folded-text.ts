// The beginning of a text that is too long to stand open in a transcript. A hundred messages of 16,000 letters each are a book.

const LINES_MAX = 14;
const LETTERS_MAX = 1_200;
/** Not folded for a few words more. */
const SPARE = 200;

/** Null if the text is short enough to show whole. */
export function foldedText(text: string): string | null {
  const lines = text.split("\n", LINES_MAX + 1);
  const first = lines.slice(0, LINES_MAX).join("\n");
  const isTall = lines.length > LINES_MAX && text.length > first.length + SPARE;
  if (!isTall && text.length <= LETTERS_MAX + SPARE) return null;
  return `${first.slice(0, LETTERS_MAX).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
