// What .gitignore files leave out, at every level of a tree. Written here and not taken from a package: those turn a pattern
// into a regular expression, and `*a*a*a*a*b` then took 23 s on one name of 200 letters: a hostile upload would block the server.
// This one compares in time of pattern times name. Case counts everywhere, as it does in git on Linux.

import { type Glob, globOf, matchesGlob } from "@/server/kernel/workspaces/sources/glob";
import { SourceFault } from "@/server/kernel/workspaces/sources/source";

export const IGNORE_FILE = ".gitignore";
const TEXT_BYTES_MAX = 256 * 1024;
/** Each path is compared with all of them. */
const RULES_MAX = 5_000;
const LINE_CHARS_MAX = 1_024;

type Rule = { negated: boolean; folderOnly: boolean; segments: (Glob | "**")[] };

export class IgnoreRules {
  readonly #rules = new Map<string, Rule[]>();
  #count = 0;

  /** `folder`: where the .gitignore lies, "" for the root. */
  add(folder: string, bytes: Uint8Array): void {
    const path = folder === "" ? IGNORE_FILE : `${folder}/${IGNORE_FILE}`;
    if (bytes.byteLength > TEXT_BYTES_MAX)
      throw new SourceFault("workspace_refused", `${path}: more than ${TEXT_BYTES_MAX} bytes. Make it shorter`, path);
    const rules = readRules(Buffer.from(bytes).toString("utf8"), path);
    this.#count += rules.length;
    if (this.#count > RULES_MAX)
      throw new SourceFault(
        "workspace_refused",
        `${path}: with it the .gitignore files have more than ${RULES_MAX} patterns. Use fewer`,
        path,
      );
    this.#rules.set(folder, rules);
  }

  /** For a path whose folders are not ignored themselves. The nearest .gitignore decides, in it the last pattern that fits. */
  ignores(path: string, isFolder: boolean): boolean {
    for (let folder = parentOf(path); ; folder = parentOf(folder)) {
      const rules = this.#rules.get(folder);
      if (rules) {
        const names = path.slice(folder === "" ? 0 : folder.length + 1).split("/");
        const rule = rules.findLast((one) => (isFolder || !one.folderOnly) && fits(one.segments, names));
        if (rule) return !rule.negated;
      }
      if (folder === "") return false;
    }
  }
}

const parentOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

function readRules(text: string, path: string): Rule[] {
  return text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .flatMap((raw, index) => {
      const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
      if (line.length > LINE_CHARS_MAX)
        throw new SourceFault(
          "workspace_refused",
          `${path}: line ${index + 1} has more than ${LINE_CHARS_MAX} characters. Make it shorter`,
          path,
        );
      const rule = readRule(line);
      return rule ? [rule] : [];
    });
}

function readRule(line: string): Rule | undefined {
  let pattern = withoutTail(line);
  if (pattern === "" || pattern.startsWith("#")) return undefined;
  const negated = pattern.startsWith("!");
  if (negated) pattern = pattern.slice(1);
  const folderOnly = pattern.endsWith("/");
  if (folderOnly) pattern = pattern.slice(0, -1);
  // With a slash at its start or in its middle it counts from where the .gitignore lies, otherwise at any depth below.
  const anchored = pattern.includes("/");
  const names = (pattern.startsWith("/") ? pattern.slice(1) : pattern).split("/");
  if (names.includes("")) return undefined;
  const segments = names.map((name) => (name === "**" ? "**" : globOf(name)));
  if (segments.includes(undefined)) return undefined;
  const known = segments.filter((one) => one !== undefined);
  return { negated, folderOnly, segments: anchored ? known : ["**", ...known] };
}

/** Spaces at the end count only behind a backslash. */
function withoutTail(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " ") end--;
  let slashes = 0;
  while (line[end - 1 - slashes] === "\\") slashes++;
  return slashes % 2 === 1 && end < line.length ? line.slice(0, end + 1) : line.slice(0, end);
}

/** `**` is any number of folders; at the end it is at least one name. */
function fits(segments: readonly (Glob | "**")[], names: readonly string[]): boolean {
  let from = new Set([0]);
  for (const [index, segment] of segments.entries()) {
    const next = new Set<number>();
    const isLast = index === segments.length - 1;
    if (segment === "**") {
      const first = Math.min(...from) + (isLast && segments.length > 1 ? 1 : 0);
      for (let at = first; at <= names.length; at++) next.add(at);
    } else
      for (const at of from) {
        const name = names[at];
        if (name !== undefined && matchesGlob(segment, name)) next.add(at + 1);
      }
    if (next.size === 0) return false;
    from = next;
  }
  return from.has(names.length);
}
