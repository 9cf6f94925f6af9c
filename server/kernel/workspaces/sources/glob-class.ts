// A bracket expression of a .gitignore pattern, such as `[a-z]`, `[!0-9]` or `[[:alpha:]]`, as a table of the 256 bytes that it
// stands for. Read in the order of git's wildmatch.c, whose answer to an odd expression is part of the format.

const names: Record<string, (byte: number) => boolean> = {
  alnum: (byte) => isAlpha(byte) || isDigit(byte),
  alpha: (byte) => isAlpha(byte),
  blank: (byte) => byte === 0x20 || byte === 0x09,
  cntrl: (byte) => byte < 0x20 || byte === 0x7f,
  digit: (byte) => isDigit(byte),
  graph: (byte) => isGraph(byte),
  lower: (byte) => isLower(byte),
  print: (byte) => byte === 0x20 || isGraph(byte),
  punct: (byte) => isGraph(byte) && !isAlpha(byte) && !isDigit(byte),
  space: (byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d),
  upper: (byte) => isUpper(byte),
  xdigit: (byte) => isDigit(byte) || (isAlpha(byte) && (byte | 0x20) <= 0x66),
};
const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39;
const isLower = (byte: number) => byte >= 0x61 && byte <= 0x7a;
const isUpper = (byte: number) => byte >= 0x41 && byte <= 0x5a;
const isAlpha = (byte: number) => isLower(byte) || isUpper(byte);
const isGraph = (byte: number) => byte > 0x20 && byte < 0x7f;

const [DASH, OPEN, ESCAPE, CLOSE] = [0x2d, 0x5b, 0x5c, 0x5d];
const NEGATIONS = [0x21, 0x5e];
const COLON = 0x3a;

/** `at`: behind the bracket; `end`: of its closing one. Undefined if it is never closed: such a pattern fits nothing. */
export function readClass(pattern: Uint8Array, start: number): { fits: Uint8Array; end: number } | undefined {
  const fits = new Uint8Array(256);
  const isNegated = NEGATIONS.includes(pattern[start] ?? 0);
  let at = isNegated ? start + 1 : start;
  // What a range may begin with: the byte before, unless that ended a range or a name.
  let low = 0;
  // A closing bracket in the first place is a byte like any other.
  do {
    let byte = pattern[at];
    if (byte === undefined) return undefined;
    const next = pattern[at + 1];
    if (byte === ESCAPE) {
      byte = pattern[++at];
      if (byte === undefined) return undefined;
      fits[byte] = 1;
    } else if (byte === DASH && low !== 0 && next !== undefined && next !== CLOSE) {
      at += next === ESCAPE ? 2 : 1;
      const high = pattern[at];
      if (high === undefined) return undefined;
      fits.fill(1, low, Math.max(low, high + 1));
      byte = 0;
    } else if (byte === OPEN && next === COLON) {
      const named = readName(pattern, at + 2);
      if (!named) return undefined;
      if (named.test) {
        for (let one = 1; one < 256; one++) if (named.test(one)) fits[one] = 1;
        at = named.end;
        byte = 0;
      } else fits[OPEN] = 1;
    } else fits[byte] = 1;
    low = byte;
    at++;
  } while (pattern[at] !== CLOSE);
  return { fits: isNegated ? fits.map((one) => 1 - one) : fits, end: at };
}

/** Without `test`: `[:` that no `:]` follows is an ordinary bracket. Undefined for a name that nobody knows. */
function readName(pattern: Uint8Array, start: number): { test?: (byte: number) => boolean; end: number } | undefined {
  const end = pattern.indexOf(CLOSE, start);
  if (end < 0) return undefined;
  if (end === start || pattern[end - 1] !== COLON) return { end };
  const name = Buffer.from(pattern.subarray(start, end - 1)).toString("latin1");
  return Object.hasOwn(names, name) ? { test: names[name], end } : undefined;
}
