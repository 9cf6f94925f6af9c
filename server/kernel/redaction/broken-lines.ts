// Tokens that a terminal or an editor broke at a fixed width: the half on the next line looks like nothing, and is a secret.
// What is broken between words has lines of many lengths, so a line counts as broken only at the width of the whole text.
import { type View, viewOf } from "./view";

/** Widths of terminals, mails and editors. Another width needs two lines that have it. */
const WIDTHS = new Set([64, 70, 72, 76, 78, 79, 80, 96, 100, 120, 128, 132, 160, 200]);
const NARROWEST = 40;
const PART = "[A-Za-z0-9_+/.=-]";
const BREAK = new RegExp(String.raw`(?<=${PART})\r?\n(?=(${PART}{1,512})([^\n]?))`, "g");
/** A line of its own: a time, a name with its value, a key of its own. */
const NEW =
  /^(?:\d{1,4}[-/:.]\d|[A-Za-z][A-Za-z0-9_]{0,127}=|[a-z]{2,6}_[A-Za-z0-9]{12}|(?:sk|xox[a-z])-|eyJ|A[KS]IA|-+$|[-+*]\S*[a-z]$)/;
const WORD = /^(?:[A-Za-z]?[a-z]*|[A-Z]+)[.,:;!?-]?$/;

/** The text with its broken lines joined; null = none is broken. */
export function joined(text: string): View | null {
  const width = widthOf(text);
  if (width === null) return null;
  return viewOf(text, BREAK, ({ 1: next = "", 2: after = "", index }) => {
    if (index - (text.lastIndexOf("\n", index - 1) + 1) !== width || NEW.test(next)) return null;
    // A word in a sentence is one, alone on its line it may be the end of a token.
    return /[:=]/.test(after) || (WORD.test(next) && !/^[\r\n]?$/.test(after)) ? null : "";
  });
}

/** Where the text is broken, if it is. */
function widthOf(text: string): number | null {
  let [widest, times] = [0, 0];
  for (let from = 0, end = 0; end < text.length; from = end + 1) {
    end = text.indexOf("\n", from);
    if (end < 0) end = text.length;
    const width = end - from - (text[end - 1] === "\r" ? 1 : 0);
    if (width > widest) [widest, times] = [width, 1];
    else if (width === widest) times++;
  }
  return widest >= NARROWEST && (times > 1 || WIDTHS.has(widest)) ? widest : null;
}
