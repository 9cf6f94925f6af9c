// Shortens text that was redacted. A cut can end inside a placeholder, or leave "Authorization: Bearer" at the end, which looks
// like a secret again: what is cut is redacted once more, until nothing is found in it.
import type { Redactor } from "./outcome";

const ROUNDS_MAX = 8;
const PLACEHOLDER_MAX = 64;

export function cutClean(text: string, bytesMax: number, redact: Redactor): string {
  let cut = cutBytes(text, bytesMax);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const { text: clean, kinds } = redact.text(cut);
    if (kinds.length === 0) return cut;
    // A placeholder may be longer than what it replaces.
    const over = Math.max(0, Buffer.byteLength(clean) - bytesMax);
    cut = over === 0 ? clean : cutBytes(cut, Math.max(0, Buffer.byteLength(cut) - over - PLACEHOLDER_MAX));
  }
  return "";
}

/** At most so many bytes of UTF-8. Ends at a character, and before a placeholder that would be cut. */
export function cutBytes(text: string, bytesMax: number): string {
  if (Buffer.byteLength(text) <= bytesMax) return text;
  let [bytes, end] = [0, 0];
  for (const character of text.slice(0, bytesMax)) {
    bytes += Buffer.byteLength(character);
    if (bytes > bytesMax) break;
    end += character.length;
  }
  const open = text.lastIndexOf("[REDACTED:", end - 1);
  const isCut = open >= 0 && end - open < PLACEHOLDER_MAX && closeOf(text, open) > end;
  return text.slice(0, isCut ? open : end);
}

/** The end of the placeholder that begins there; 0 = it is none. */
function closeOf(text: string, open: number): number {
  return open + (/^\[REDACTED:[a-z_]{1,40}\]/.exec(text.slice(open, open + PLACEHOLDER_MAX))?.[0].length ?? -open);
}
