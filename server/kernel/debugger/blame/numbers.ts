// Numbers as people and programs write them, in one spelling: 1,234.50, 1 234.5, 1.234,50 and 1.2345e3 are the same. Pure.

// The digits that decide come first: groups of thousands, then plain digits.
const GROUPS = [",", "'", "\u2019", "_", " "].map((sign) => `(?:${sign}\\d{3})+`).join("|");
const GROUPED = `\\d{1,3}(?:${GROUPS})(?:\\.\\d+)?(?![\\d.,]\\d)`;
const COMMA_DECIMAL = "\\d{1,3}(?:\\.\\d{3})+,\\d+";
const PLAIN = "\\d+(?:\\.\\d+)?(?:e[+-]?\\d{1,3}(?![\\p{L}\\p{N}]))?";
const NUMBER = `(?:${COMMA_DECIMAL}|${GROUPED}|${PLAIN})`;
const WHOLE = new RegExp(`^([-+\u2212]?)[\\p{Sc}]?\\s?([-+\u2212]?)(${NUMBER})\\s?[%\\p{Sc}]?$`, "u");
const WHOLE_SIGN = 1;
const WHOLE_DIGITS = 3;

/** The number that a text is, with its currency or percent sign if it has one; undefined if it is anything else. */
export function numberOf(text: string): string | undefined {
  const found = WHOLE.exec(text.trim());
  if (!found) return undefined;
  const sign = found[WHOLE_SIGN] || found[WHOLE_SIGN + 1];
  return spelled(found[WHOLE_DIGITS] ?? "", sign === "-" || sign === "\u2212");
}

/** How many digits it is written with, zeros at its ends not counted: a number of one or two digits is everywhere. */
export const digitsOf = (number: string): number => number.replace(/[^\d]/g, "").length;

/** One spelling. */
export function spelled(written: string, isNegative = false): string {
  const plain = /^\d{1,3}(?:\.\d{3})+,\d+$/.test(written)
    ? written.replaceAll(".", "").replace(",", ".")
    : written.replace(/[,'\u2019_ ]/g, "");
  const decimal = /e/i.test(plain) ? decimalOf(Number(plain)) : plain;
  const [whole = "", fraction = ""] = decimal.split(".");
  const tail = fraction.replace(/0+$/, "");
  const digits = `${whole.replace(/^0+(?=\d)/, "")}${tail === "" ? "" : `.${tail}`}`;
  return isNegative && digits !== "0" ? `-${digits}` : digits;
}

/** Up to 20 places: an exponent beyond that stays as it is. */
const decimalOf = (number: number): string =>
  number !== 0 && Math.abs(number) < 1e-6 ? number.toFixed(20) : String(number);

export type FoundNumber = { number: string; start: number; end: number };

// A digit of a word, a version or a date is no number of its own: 3.11.2 and a1b2 once matched 11.2 and 1.
const IN_TEXT = new RegExp(`(?<![\\p{L}\\p{N}_.]|\\d,)([-\u2212]?)(${NUMBER})(?![\\p{L}\\p{N}_]|[.,]\\d)`, "gu");

/** The numbers in a folded text. A minus directly after a letter or a digit is a hyphen. */
export function* numbersIn(folded: string): Generator<FoundNumber> {
  for (const match of folded.matchAll(IN_TEXT)) {
    const [whole, sign = "", digits = ""] = match;
    const found = { start: match.index, end: match.index + whole.length };
    yield { number: spelled(digits, sign !== ""), ...found };
    // "10 200 300" may be one number or three.
    if (digits.includes(" "))
      for (const part of digits.matchAll(/\d+(?:\.\d+)?/g)) {
        const at = match.index + sign.length + part.index;
        yield { number: spelled(part[0]), start: at, end: at + part[0].length };
      }
  }
}
