// name = value, name: value, --name value and <name>value</name>, where the name says that the value is secret. Also inside JSON that
// is itself a string, and inside the value of another name.
import { closeOf } from "./close-quote";
import type { Hit } from "./hits";
import { isCode, isSecretValue, secretKind } from "./secret-names";

const NAME = "[A-Za-z0-9_.-]{1,128}";
const SIGN = new RegExp(
  String.raw`(?<![A-Za-z0-9_.-])(${NAME})((?:\\*["'])?[ \t]{0,4}(?:=>|:=|={1,3}|!==?|:)[ \t]{0,4}|(?<=(?<![A-Za-z0-9_.-])--${NAME})[ \t]{1,4})`,
  "g",
);
const ELEMENT = new RegExp(String.raw`<(${NAME})>([^<>\n]{1,4096})</\1>`, "g");
const QUOTE = /\\*["'`]/y;

export function findAssignments(text: string): Hit[] {
  const hits: Hit[] = [];
  const bareAt = bareValues(text);
  for (const { 0: whole, 1: key = "", 2: sign = "", index } of text.matchAll(SIGN)) {
    const kind = secretKind(key);
    if (kind === null) continue;
    const at = index + whole.length;
    const value = quotedAt(text, sign, at) ?? bareAt({ key, sign, index, at });
    if (value && isSecretValue(key, text.slice(value.from, value.to))) hits.push({ kind, ...value });
  }
  for (const { 0: whole, 1: key = "", 2: value = "", index } of text.matchAll(ELEMENT)) {
    const kind = secretKind(key);
    const from = index + key.length + 2;
    if (kind && isSecretValue(key, value)) hits.push({ kind, from, to: index + whole.length - key.length - 3 });
  }
  return hits;
}

type Span = { from: number; to: number };

function quotedAt(text: string, sign: string, at: number): Span | null {
  QUOTE.lastIndex = at;
  const quote = QUOTE.exec(text)?.[0];
  // "without the token: `status` only" is prose.
  if (quote === undefined || (quote.endsWith("`") && !sign.includes("="))) return null;
  const from = at + quote.length;
  const to = closeOf(text, quote, from);
  return quote.endsWith("`") && text.slice(from, to).includes("$" + "{") ? null : { from, to };
}

type Place = { key: string; sign: string; index: number; at: number };

function bareValues(text: string): (place: Place) => Span | null {
  const endOf = endsOf(text, /[^\s,;"'`}\])&<>\\]+/y);
  // PASSWORD=a,b&c at the beginning of a line, as in an environment file: only a space ends it.
  const endOfFirst = endsOf(text, /[^\s"'`\\]+/y);
  return ({ key, sign, index, at }) => {
    const before = text.slice(Math.max(index - 40, 0), index);
    const isFirst = FIRST.test(before);
    const to = isFirst && sign === "=" ? endOfFirst(at) : endOf(at);
    if (to === at) return null;
    const value = text.slice(at, to);
    const isAlone = isFirst && /^[ \t]*(?:\r?\n|$)/.test(text.slice(to, to + 40));
    // "the secret: never give up" is prose, "password: hunter" on a line of its own is not.
    if (value.length < 80 && /^[A-Za-z]+[.!?:]?$/.test(value) && !isAlone && !sign.includes("=")) return null;
    if (sign !== "=" && (DECLARED.test(before) || isCode({ key, value, isAlone }))) return null;
    return { from: at, to };
  };
}

const FIRST = /(?:^|\n)[ \t]*(?:[-*#][ \t]+|export[ \t]+|set[ \t]+|ENV[ \t]+)?$/;
// A program declares a secret with quotes; without them it names another variable.
const DECLARED = /\b(?:const|let|var|val|final|type)[ \t]+$/;

/** The end of the run that begins at a place. A name inside the run of another one has the same end. */
function endsOf(text: string, run: RegExp): (at: number) => number {
  let known = { from: 0, to: 0 };
  return (at) => {
    if (at >= known.from && at < known.to) return known.to;
    run.lastIndex = at;
    known = { from: at, to: at + (run.exec(text)?.[0].length ?? 0) };
    return known.to;
  };
}
