// A text as a person or a program behind it would read it: without signs that nobody sees, and with the characters that
// percent-encoding, HTML, JSON and full-width letters stand for. `password%3Dhunter2` is a password too.
import { through, type View, viewOf } from "./view";

/** The second group is the space, the third what ends a word in Chinese and Japanese. */
const CODED = new RegExp(
  [
    String.raw`([\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff])`,
    String.raw`([\u00a0\u2000-\u200a\u202f\u205f\u3000])`,
    String.raw`([\u3001\u3002])`,
    // Before Chinese or Japanese words it is a mark of prose.
    String.raw`([\uff01-\uff5e](?![ \u3000]?[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]))`,
    "%([2-7][0-9A-Fa-f]|0[9AaDd])",
    String.raw`(?<!\\)\\{1,16}(?:u00|x)([2-7][0-9A-Fa-f])`,
    "&#x0{0,4}([0-9A-Fa-f]{2});",
    "&#0{0,4}([0-9]{2,3});",
    "&(quot|apos|equals|colon|amp|lt|gt|nbsp|shy|lowbar);",
  ].join("|"),
  "g",
);
const NAMED: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  equals: "=",
  colon: ":",
  amp: "&",
  lt: "<",
  gt: ">",
  nbsp: " ",
  shy: "",
  lowbar: "_",
};
/** A text may be encoded again: %253D, &amp;#61;. */
const DEPTH = 3;

/** Null = it is written as it is read. */
export function decoded(text: string): View | null {
  let view = viewOf(text, CODED, meant);
  for (let depth = 1; view && depth < DEPTH; depth++) {
    const next = viewOf(view.text, CODED, meant);
    if (!next) break;
    view = through(view, next);
  }
  return view;
}

/** A name as it is read. */
export const decodedName = (name: string): string => decoded(name)?.text ?? name;

function meant([, unseen, space, stop, wide, percent, escaped, hex, decimal, named]: RegExpExecArray): string | null {
  if (unseen !== undefined) return "";
  if (space !== undefined) return " ";
  if (stop !== undefined) return ",";
  if (wide !== undefined) return String.fromCharCode(wide.charCodeAt(0) - 0xfee0);
  if (named !== undefined) return NAMED[named] ?? null;
  const hexadecimal = percent ?? escaped ?? hex;
  return ofCode(hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16));
}

function ofCode(code: number): string | null {
  if (code === 0xad) return "";
  if (code === 0xa0) return " ";
  return (code >= 0x20 && code < 0x7f) || code === 9 || code === 10 || code === 13 ? String.fromCharCode(code) : null;
}
