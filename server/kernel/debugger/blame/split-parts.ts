// A text's sentences and list items, with their places. Pure.
import type { Range } from "./fold";

const PARTS_MAX = 200;
const LETTERS_MIN = 12;
// After . ! ? and a blank, after the full stops of scripts without blanks, at line ends; and at colons, semicolons and dashes:
// a quoted sentence often stands between the words of whoever quotes it.
const ENDS =
  /(?<=[.!?]["')\]\u2019\u201d]?)\s+(?=[^\p{Ll}\s])|(?<=[\u3002\uff01\uff1f])|(?<=[:;])\s+|\s+[-\u2013\u2014]\s+|\s*[\r\n]+\s*/gu;
const BULLET = /^(?:[-*+\u2022]|\d{1,3}[.)]|\(?[a-z]\))\s+/iu;

/** At most `PARTS_MAX`; what is too short to be recognised joins the part before it. */
export function splitParts(text: string): Range[] {
  const parts: Range[] = [];
  let from = 0;
  const add = (start: number, end: number): void => {
    const cut = BULLET.exec(text.slice(start, Math.min(end, start + 8)))?.[0].length ?? 0;
    const part = trimmed(text, { start: start + cut, end });
    if (part.end <= part.start) return;
    const before = parts.at(-1);
    if (before && (part.end - part.start < LETTERS_MIN || parts.length === PARTS_MAX)) before.end = part.end;
    else parts.push(part);
  };
  for (const end of text.matchAll(ENDS)) {
    add(from, end.index);
    from = end.index + end[0].length;
  }
  add(from, text.length);
  return parts;
}

function trimmed(text: string, { start, end }: Range): Range {
  let [from, to] = [start, end];
  while (from < to && /\s/u.test(text[from] ?? "")) from++;
  while (to > from && /\s/u.test(text[to - 1] ?? "")) to--;
  return { start: from, end: to };
}
