// Private keys in PEM, whole or cut off at either end: a log that was cut shows half of a key without its first or its last line.
import type { Hit } from "./hits";

const LABEL = `[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----`;
const MARK = new RegExp(`-----(BEGIN|END) ${LABEL}`, "g");
// Line ends may be escaped, to any depth.
const BREAK = String.raw`(?:\s|\\+[nrt]){1,8}`;
const HEADER = "(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): ";
const REST = new RegExp(
  String.raw`(?:${BREAK}(?:[A-Za-z0-9+/=]{16,200}|${HEADER}[^\n\\]{0,200}))*(?:${BREAK}[A-Za-z0-9+/=]{1,15}$)?`,
  "y",
);
/** Longer than a key of 16,384 bits. What is further apart are two mentions, not one key. */
const LONGEST = 32_768;

export function findPrivateKeys(text: string): Hit[] {
  const marks = [...text.matchAll(MARK)];
  const hits: Hit[] = [];
  for (let i = 0; i < marks.length; i++) {
    const [mark, next] = [marks[i], marks[i + 1]];
    if (!mark) break;
    const body = mark.index + mark[0].length;
    if (mark[1] === "END") {
      hits.push({ kind: "private_key", from: beginOfRest(text, mark.index, hits.at(-1)?.to ?? 0), to: body });
    } else if (next?.[1] === "END" && next.index - body <= LONGEST) {
      hits.push({ kind: "private_key", from: mark.index, to: next.index + next[0].length });
      i++;
    } else {
      REST.lastIndex = body;
      hits.push({ kind: "private_key", from: mark.index, to: body + (REST.exec(text)?.[0].length ?? 0) });
    }
  }
  return hits;
}

const LINE = /^[A-Za-z0-9+/=]{16,200}$/;
const LAST_LINE = /^[A-Za-z0-9+/=]{1,200}$/;

/** Where the lines of a key begin that stand before its END, if its BEGIN was cut away. */
function beginOfRest(text: string, end: number, after: number): number {
  let begin = end;
  for (let isLast = true; begin > after; isLast = false) {
    const stop = skipBreaks(text, begin, after);
    let start = stop;
    while (start > after && stop - start <= 200 && !isBreak(text, start)) start--;
    // The first line may have been cut to anything.
    if (!(isLast || start === 0 ? LAST_LINE : LINE).test(text.slice(start, stop))) break;
    begin = start;
  }
  return begin;
}

function skipBreaks(text: string, from: number, after: number): number {
  let at = from;
  while (at > after && isBreak(text, at)) at -= /\s/.test(text[at - 1] ?? "") ? 1 : 2;
  return Math.max(at, after);
}

/** Whether a line end, escaped or not, stands before this place. */
const isBreak = (text: string, at: number): boolean =>
  /\s/.test(text[at - 1] ?? "") || (text[at - 2] === "\\" && /[nrt]/.test(text[at - 1] ?? ""));
