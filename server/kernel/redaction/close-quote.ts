// Where a quoted value ends. JSON inside JSON escapes its quotes again at every depth, and a password may contain a quote: taken for
// the end, it would leave the rest of the password in the text.

/** More than any value that is quoted on one line; a text made to be slow is not searched to its end for every quote. */
const LONGEST = 65_536;
/** What is hidden of a value without an end. */
const LONGEST_OPEN = 4096;

/**
 * The offset of the closing quote of what was opened by `quote` (with its backslashes). A value that is not closed on its line was cut
 * off, and ends with the line.
 */
export function closeOf(text: string, quote: string, from: number): number {
  const mark = quote.slice(-1);
  const own = quote.length - 1;
  for (let at = text.indexOf(mark, from); at >= 0 && at - from < LONGEST; at = text.indexOf(mark, at + 1)) {
    if (!isClose(slashesBefore(text, at, from), own)) continue;
    return text.slice(from, at).search(/[\r\n]/) < 0 ? at - own : endOfLine(text, from);
  }
  return endOfLine(text, from);
}

/** At depth n a closing quote has 2^n - 1 backslashes of its own, after whole pairs of escaped ones. */
const isClose = (slashes: number, own: number): boolean => slashes >= own && slashes % (2 * (own + 1)) === own;

function slashesBefore(text: string, at: number, from: number): number {
  let first = at;
  while (first > from && text[first - 1] === "\\") first--;
  return at - first;
}

function endOfLine(text: string, from: number): number {
  const end = text.slice(from, from + LONGEST_OPEN).search(/[\r\n]/);
  return end < 0 ? Math.min(text.length, from + LONGEST_OPEN) : from + end;
}
