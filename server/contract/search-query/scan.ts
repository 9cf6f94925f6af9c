// Reads a query from left to right. What stands where is decided by the parsers; here are the letters.
import { FaultAt } from "./fault";

export const QUERY_CHARS_MAX = 1_000;
const QUERY_TERMS_MAX = 64;
export const QUERY_NESTING_MAX = 16;
/** Longer than the text index takes in. */
export const WORD_CHARS_MAX = 256;

export type Scan = { text: string; at: number; terms: number; depth: number; now: Date };

export function skipBlanks(scan: Scan): void {
  while (/\s/u.test(scan.text[scan.at] ?? "")) scan.at++;
}

/** True if `sign` was next, which is then read. */
export function take(scan: Scan, sign: string): boolean {
  if (!scan.text.startsWith(sign, scan.at)) return false;
  scan.at += sign.length;
  return true;
}

/** Up to the next blank, bracket, quotation mark or one of `ends`. */
export function takeBare(scan: Scan, ends = ""): string {
  const from = scan.at;
  while (scan.at < scan.text.length && !/[\s()"]/u.test(signAt(scan)) && !ends.includes(signAt(scan))) scan.at++;
  return scan.text.slice(from, scan.at);
}

/** The opening quotation mark has been read. `\"` is a quotation mark and `\\` a backslash. */
export function takeQuoted(scan: Scan): string {
  const opened = scan.at - 1;
  let quoted = "";
  while (scan.at < scan.text.length) {
    const sign = signAt(scan);
    scan.at++;
    if (sign === '"') return quoted;
    if (sign === "\\" && /["\\]/.test(signAt(scan))) {
      quoted += signAt(scan);
      scan.at++;
    } else quoted += sign;
  }
  throw new FaultAt(opened, 'this quotation mark is never closed; add " at the end of the phrase');
}

export function countTerm(scan: Scan, at: number): void {
  scan.terms++;
  if (scan.terms > QUERY_TERMS_MAX)
    throw new FaultAt(at, `more than ${QUERY_TERMS_MAX} words and values; leave some out`);
}

/** Without a letter or a digit nothing is in the text index. */
export const isSearchable = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

const signAt = (scan: Scan): string => scan.text[scan.at] ?? "";
