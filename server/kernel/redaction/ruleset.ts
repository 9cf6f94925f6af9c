// What redaction looks for, and what it puts there. The kinds are part of the format of redacted text: pages draw each one.

/** The most telling first: where several rules find the same text, the placeholder names the first of their kinds. */
export const redactionKinds = [
  "private_key",
  "bearer",
  "github_token",
  "aws_key",
  "jwt",
  "url_password",
  "generic_api_key",
  "env_secret",
] as const;
export type RedactionKind = (typeof redactionKinds)[number];

/** Raised with every change of a rule: the id of a redacted copy contains it, so that equal rules give equal copies. */
export const RULESET = "4";

/** Where something was found, never what. `pointer` is a JSON pointer; "" for text. */
export type Finding = { kind: RedactionKind; pointer: string };

export const placeholder = (kind: RedactionKind): string => `[REDACTED:${kind}]`;

const PLACEHOLDER = String.raw`\[REDACTED:(?:${redactionKinds.join("|")})\]`;
const whole = new RegExp(`^${PLACEHOLDER}$`);
const every = new RegExp(PLACEHOLDER, "g");

export const isPlaceholder = (text: string): boolean => whole.test(text);

/** Where placeholders stand. */
export const findPlaceholders = (text: string): { from: number; to: number }[] =>
  Array.from(text.matchAll(every), ({ 0: found, index }) => ({ from: index, to: index + found.length }));

/** Placeholders as something that no rule takes for a part of a word or of a line's end; every offset stays. */
export const maskPlaceholders = (text: string): string =>
  text.replace(every, (found) => ` ${"\0".repeat(found.length - 2)} `);

export const mostTelling = (a: RedactionKind, b: RedactionKind): RedactionKind =>
  redactionKinds.indexOf(a) <= redactionKinds.indexOf(b) ? a : b;
