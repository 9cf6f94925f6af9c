// One pattern of a .gitignore, compared as git does it (wildmatch.c): byte by byte, with `*`, `**`, `?`, brackets and backslashes.
// All ways through the pattern are followed at once, so its time is at most pattern times name; git goes back and tries again.
import { readClass } from "@/server/kernel/workspaces/sources/glob-class";

/** `any` crosses slashes, `folders` too and ends behind one or takes nothing. */
type Token = number | "any" | "folders" | "star" | Uint8Array;
/** Plain text at both ends is compared first: most names have another. */
export type Glob = { prefix: Uint8Array; tokens: Token[]; suffix: Uint8Array };

const [STAR, SLASH, QUESTION, OPEN, ESCAPE] = [0x2a, 0x2f, 0x3f, 0x5b, 0x5c];
const SPECIAL = [STAR, QUESTION, OPEN, ESCAPE];
const ONE = new Uint8Array(256).fill(1);

/** Undefined for a pattern that fits nothing: an open bracket, a backslash at the end. */
export function globOf(pattern: Uint8Array): Glob | undefined {
  const special = pattern.findIndex((byte) => SPECIAL.includes(byte));
  if (special < 0) return { prefix: pattern, tokens: [], suffix: new Uint8Array() };
  // From here on git begins anew: in `foo**/bar` the two stars are taken for the start of the pattern.
  const rest = pattern.subarray(special);
  const tokens: Token[] = [];
  for (let at = 0; at < rest.length; at++) {
    const byte = rest[at] as number;
    if (byte === STAR) {
      const start = at;
      while (rest[at + 1] === STAR) at++;
      tokens.push(starsOf(rest, start, at + 1));
      if (tokens.at(-1) === "folders") at++;
    } else if (byte === QUESTION) tokens.push(ONE);
    else if (byte === OPEN) {
      const found = readClass(rest, at + 1);
      if (!found) return undefined;
      tokens.push(found.fits);
      at = found.end;
    } else if (byte === ESCAPE) {
      const next = rest[++at];
      if (next === undefined) return undefined;
      tokens.push(next);
    } else tokens.push(byte);
  }
  const suffix = tokens.slice(tokens.findLastIndex((token) => typeof token !== "number") + 1) as number[];
  tokens.length -= suffix.length;
  return { prefix: pattern.subarray(0, special), tokens, suffix: Uint8Array.from(suffix) };
}

/** Two stars and more are special only between slashes. */
function starsOf(rest: Uint8Array, start: number, end: number): Token {
  if (end - start < 2 || (start > 0 && rest[start - 1] !== SLASH)) return "star";
  if (end === rest.length) return "any";
  if (rest[end] === SLASH) return "folders";
  return rest[end] === ESCAPE && rest[end + 1] === SLASH ? "any" : "star";
}

/** `steps`: what it costs is added. */
export function matchesGlob({ prefix, tokens, suffix }: Glob, name: Uint8Array, cost: { steps: number }): boolean {
  const start = prefix.length;
  cost.steps++;
  const least = start + suffix.length;
  if (name.length < least || (tokens.length === 0 && name.length > least)) return false;
  for (let at = 0; at < start; at++) if (name[at] !== prefix[at]) return false;
  const tail = name.length - suffix.length;
  for (let at = 0; at < suffix.length; at++) if (name[tail + at] !== suffix[at]) return false;
  return tokens.length === 0 || follow(tokens, name.subarray(start, tail), cost);
}

/** Where the ways through the pattern are in the name; two of them, used in turn. */
let rows = [new Uint8Array(1_100), new Uint8Array(1_100)];

function follow(tokens: Glob["tokens"], name: Uint8Array, cost: { steps: number }): boolean {
  if (name.length >= (rows[0]?.length ?? 0)) rows = rows.map(() => new Uint8Array(2 * name.length));
  let [from, next] = rows as [Uint8Array, Uint8Array];
  from[0] = 1;
  // The first and the last of the ways: most patterns have only one.
  let low = 0;
  let high = 0;
  for (const token of tokens) {
    const end = typeof token === "string" ? name.length : Math.min(high, name.length - 1);
    next.fill(0, low, Math.max(end, low) + 2);
    let first = -1;
    let last = -1;
    let isOpen = false;
    for (let at = low; at <= end; at++) {
      const isHere = at <= high && from[at] === 1;
      let reached = -1;
      if (typeof token === "number") {
        if (isHere && name[at] === token) reached = at + 1;
      } else if (typeof token === "object") {
        if (isHere && name[at] !== SLASH && token[name[at] as number] === 1) reached = at + 1;
      } else {
        isOpen ||= isHere;
        if (token === "folders" ? isHere || (isOpen && name[at - 1] === SLASH) : isOpen) reached = at;
        if (token === "star" && name[at] === SLASH) isOpen = false;
      }
      if (reached < 0) continue;
      next[reached] = 1;
      if (first < 0) first = reached;
      last = reached;
    }
    cost.steps += Math.max(end - low, 0) + 4;
    if (first < 0) return false;
    [from, next] = [next, from];
    low = first;
    high = last;
  }
  return high === name.length;
}
