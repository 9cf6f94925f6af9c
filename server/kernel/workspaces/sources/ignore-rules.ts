// What .gitignore files leave out, at every level of a tree. Written here and not taken from a package: those turn a pattern
// into a regular expression, and `*a*a*a*a*b` then took 23 s on one name of 200 letters: a hostile upload would block the server.
// This one compares in time of pattern times name. Case counts everywhere, as it does in git on Linux.

import { type Glob, globOf, matchesGlob } from "@/server/kernel/workspaces/sources/glob";
import { SourceFault } from "@/server/kernel/workspaces/sources/source";

export const IGNORE_FILE = ".gitignore";
const TEXT_BYTES_MAX = 256 * 1024;
/** Each path is compared with all of them. */
const RULES_MAX = 5_000;
const LINE_BYTES_MAX = 1_024;
/** About 10 s. 50,000 files with 300 patterns take a quarter of it. */
const STEPS_MAX = 1_000_000_000;

type Rule = { negated: boolean; folderOnly: boolean; nameOnly: boolean; glob: Glob };

export class IgnoreRules {
  readonly #rules = new Map<string, Rule[]>();
  #count = 0;
  readonly #cost = { steps: 0 };

  constructor(readonly stepsMax = STEPS_MAX) {}

  /** What all comparisons have cost so far; a million is about 10 ms. */
  get steps(): number {
    return this.#cost.steps;
  }

  /** `folder`: where the .gitignore lies, "" for the root. */
  add(folder: string, bytes: Uint8Array): void {
    const path = folder === "" ? IGNORE_FILE : `${folder}/${IGNORE_FILE}`;
    if (bytes.byteLength > TEXT_BYTES_MAX)
      throw new SourceFault("workspace_refused", `${path}: more than ${TEXT_BYTES_MAX} bytes. Make it shorter`, path);
    const rules = readRules(Buffer.from(bytes), path);
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
    if (this.#cost.steps > this.stepsMax)
      throw new SourceFault(
        "workspace_refused",
        "the patterns of its .gitignore files take too long to compare. Use fewer, or ones with fewer stars",
      );
    const whole = Buffer.from(path);
    const name = whole.subarray(whole.lastIndexOf(SLASH) + 1);
    for (let folder = parentOf(path); ; folder = parentOf(folder)) {
      const rules = this.#rules.get(folder);
      if (rules) {
        const inside = folder === "" ? whole : whole.subarray(Buffer.byteLength(folder) + 1);
        const rule = rules.findLast(
          (one) => (isFolder || !one.folderOnly) && matchesGlob(one.glob, one.nameOnly ? name : inside, this.#cost),
        );
        if (rule) return !rule.negated;
      }
      if (folder === "") return false;
    }
  }
}

const [LINE_END, RETURN, SPACE, NEGATION, COMMENT, SLASH, ESCAPE] = [0x0a, 0x0d, 0x20, 0x21, 0x23, 0x2f, 0x5c];
const MARK = Buffer.from("\uFEFF");
const parentOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

function readRules(text: Buffer, path: string): Rule[] {
  const rules: Rule[] = [];
  let at = text.subarray(0, MARK.length).equals(MARK) ? MARK.length : 0;
  for (let number = 1; at < text.length; number++) {
    const end = text.indexOf(LINE_END, at);
    const line = text.subarray(at, end < 0 ? text.length : end);
    if (line.length > LINE_BYTES_MAX)
      throw new SourceFault(
        "workspace_refused",
        `${path}: line ${number} has more than ${LINE_BYTES_MAX} bytes. Make it shorter`,
        path,
      );
    const rule = readRule(line);
    if (rule) rules.push(rule);
    at += line.length + 1;
  }
  return rules;
}

function readRule(line: Buffer): Rule | undefined {
  const text = line.at(-1) === RETURN ? line.subarray(0, -1) : line;
  // git reads a line as a text of C, which ends at a zero.
  const zero = text.indexOf(0);
  let pattern = withoutTail(zero < 0 ? text : text.subarray(0, zero));
  if (pattern.length === 0 || pattern[0] === COMMENT) return undefined;
  const negated = pattern[0] === NEGATION;
  if (negated) pattern = pattern.subarray(1);
  const folderOnly = pattern.at(-1) === SLASH;
  if (folderOnly) pattern = pattern.subarray(0, -1);
  // With a slash at its start or in its middle it counts from where the .gitignore lies, otherwise at any depth below.
  const nameOnly = !pattern.includes(SLASH);
  const glob = globOf(pattern[0] === SLASH ? pattern.subarray(1) : pattern);
  return glob && { negated, folderOnly, nameOnly, glob };
}

/** Spaces at the end count only behind a backslash. */
function withoutTail(line: Buffer): Buffer {
  let end = line.length;
  while (end > 0 && line[end - 1] === SPACE) end--;
  let slashes = 0;
  while (line[end - 1 - slashes] === ESCAPE) slashes++;
  return slashes % 2 === 1 && end < line.length ? line.subarray(0, end + 1) : line.subarray(0, end);
}
