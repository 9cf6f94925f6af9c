// One name of a .gitignore pattern: `*`, `?`, `[a-z]` and backslashes. It never goes back further than to the last star, so
// its time is at most pattern times name.

type Part = "*" | "?" | string | { negated: boolean; ranges: [string, string][] };
export type Glob = { literal: string } | { parts: { kind: "star" | "one" | "text" | "class"; part: Part }[] };

/** Undefined for a pattern that fits nothing: an open bracket, a backslash at the end. */
export function globOf(pattern: string): Glob | undefined {
  if (!/[*?[\\]/.test(pattern)) return { literal: pattern };
  const chars = [...pattern];
  const parts: { kind: "star" | "one" | "text" | "class"; part: Part }[] = [];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] as string;
    if (char === "*") {
      if (parts.at(-1)?.kind !== "star") parts.push({ kind: "star", part: "*" });
    } else if (char === "?") parts.push({ kind: "one", part: "?" });
    else if (char === "[") {
      const found = readClass(chars, at + 1);
      if (!found) return undefined;
      parts.push({ kind: "class", part: found.part });
      at = found.end;
    } else if (char === "\\") {
      const next = chars[++at];
      if (next === undefined) return undefined;
      parts.push({ kind: "text", part: next });
    } else parts.push({ kind: "text", part: char });
  }
  return { parts };
}

const named: Record<string, [string, string][]> = {
  alpha: [
    ["a", "z"],
    ["A", "Z"],
  ],
  digit: [["0", "9"]],
  alnum: [
    ["a", "z"],
    ["A", "Z"],
    ["0", "9"],
  ],
  lower: [["a", "z"]],
  upper: [["A", "Z"]],
  space: [
    [" ", " "],
    ["\t", "\r"],
  ],
  xdigit: [
    ["0", "9"],
    ["a", "f"],
    ["A", "F"],
  ],
  punct: [
    ["!", "/"],
    [":", "@"],
    ["[", "`"],
    ["{", "~"],
  ],
};

function readClass(chars: readonly string[], start: number) {
  let at = start;
  const negated = chars[at] === "!" || chars[at] === "^";
  if (negated) at++;
  const ranges: [string, string][] = [];
  for (let first = true; ; first = false) {
    let low = chars[at];
    if (low === undefined) return undefined;
    if (low === "]" && !first) return { part: { negated, ranges }, end: at };
    if (low === "[" && chars[at + 1] === ":") {
      const end = chars.indexOf("]", at + 2);
      const set = chars[end - 1] === ":" ? named[chars.slice(at + 2, end - 1).join("")] : undefined;
      if (!set) return undefined;
      ranges.push(...set);
      at = end + 1;
      continue;
    }
    if (low === "\\") low = chars[++at];
    if (low === undefined) return undefined;
    let high = low;
    if (chars[at + 1] === "-" && chars[at + 2] !== undefined && chars[at + 2] !== "]") {
      at += 2;
      if (chars[at] === "\\") at++;
      high = chars[at] as string;
      if (high === undefined) return undefined;
    }
    ranges.push([low, high]);
    at++;
  }
}

export function matchesGlob(glob: Glob, name: string): boolean {
  if ("literal" in glob) return glob.literal === name;
  const { parts } = glob;
  const chars = [...name];
  let at = 0;
  let star = -1;
  let starAt = 0;
  for (let i = 0; i < chars.length || at < parts.length; ) {
    const one = parts[at];
    if (one?.kind === "star") {
      star = at++;
      starAt = i;
    } else if (one && i < chars.length && matchesOne(one.part, one.kind, chars[i] as string)) {
      at++;
      i++;
    } else if (star >= 0 && starAt < chars.length) {
      at = star + 1;
      i = ++starAt;
    } else return false;
  }
  return true;
}

function matchesOne(part: Part, kind: string, char: string): boolean {
  if (kind === "one") return true;
  if (typeof part === "string") return part === char;
  const code = char.codePointAt(0) as number;
  const isIn = part.ranges.some(
    ([low, high]) => code >= (low.codePointAt(0) as number) && code <= (high.codePointAt(0) as number),
  );
  return isIn !== part.negated;
}
