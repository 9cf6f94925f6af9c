// docs/style.md as far as a machine can hold it: turns of phrase that once filled pages, errors and screens and that a reader
// had to decode. Comments and test names are not looked at; people keep those.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "..");

/** What to look for, and what to write. Each stood in the product. */
const ARCHAIC: [RegExp, string][] = [
  [/\banew\b/i, "again, new"],
  [/\bwhoever\b/i, "name the actor, or: anyone who"],
  [/\bshall\b/i, "must, should, will"],
  [/\b(tells?|told) of\b/i, "describes, is told about"],
  [/\bjoined by commas\b/i, "separated by commas"],
  [/\bis no (tool|profile|part|result|address|name|step|setting|cluster|error)\b/i, "is not a ..."],
  [/\b(is|are|was|were) not there\b/i, "not found, missing, does not exist"],
  [/\b(is|are|was|were) there already\b/i, "already exists"],
  [/\bwhere (there is|it has|they have) (none|no)\b/i, "without, if there is no"],
  [/\bwhere (nothing|nobody|it) (is said|says|is given)\b/i, "by default, if ... is not set"],
  [/\bstands? (beside|behind|in front|there|above it)\b/i, "is next to, after, before, there"],
  [/\bnobody is what\b/i, "Default: nobody"],
  [/\bif need be\b/i, "if needed"],
  [/\bfor want of\b/i, "because there is no"],
  [/\bsave what\b/i, "except what"],
  [/\blet go of\b/i, "release, close"],
  [/\bcannot be had\b/i, "is not available"],
];

/** The same words wherever a recipe is named: in a plan, its drawing, REST and a tool's answer. Programs compare them. */
const FIXED = /Recipe \S+ is not there\./g;

const tracked = (...patterns: string[]): string[] =>
  execFileSync("git", ["ls-files", ...patterns], { cwd: root, encoding: "utf8" })
    .trim()
    .split("\n")
    .filter((file) => fs.existsSync(path.join(root, file)));

const textOf = (file: string): string => fs.readFileSync(path.join(root, file), "utf8");

/** `archaic` as a reader of `text` meets it, line breaks or not. */
function found(file: string, text: string): string[] {
  const flat = text.replace(/\s+/g, " ").replace(FIXED, "");
  return ARCHAIC.flatMap(([turn, instead]) => {
    const hit = turn.exec(flat);
    return hit === null ? [] : [`${file}: "${flat.slice(Math.max(0, hit.index - 30), hit.index + 40)}" → ${instead}`];
  });
}

/** Every string, template and piece of JSX of a source file, one a line. */
function stringsOf(file: string): string[] {
  const source = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true);
  const strings: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) strings.push(node.text);
    else if (ts.isTemplateExpression(node))
      strings.push([node.head.text, ...node.templateSpans.map((span) => span.literal.text)].join("X"));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return strings;
}

test("pages are in plain words", { timeout: 60_000 }, () => {
  // The style page shows what not to write.
  const pages = tracked("*.md").filter((file) => file !== "docs/style.md");
  expect(pages.length).toBeGreaterThan(40);
  expect(pages.flatMap((file) => found(file, textOf(file).replace(/^Test: .*$/gm, "")))).toEqual([]);
});

test("what screens, errors, logs and tools say is in plain words", { timeout: 60_000 }, () => {
  const sources = tracked("server/**/*.ts", "components/**/*.ts*", "app/**/*.ts*", "scripts/**/*.ts").filter(
    (file) => !/\.test\.tsx?$|^server\/testing\//.test(file),
  );
  expect(sources.length).toBeGreaterThan(800);
  expect(sources.flatMap((file) => stringsOf(file).flatMap((text) => found(file, text)))).toEqual([]);
});

test("the list catches what it was made of", () => {
  for (const old of [
    "nobody is what it says where it says nothing",
    "Launch it anew if that was not meant",
    "project p1 is not there",
    "web_search is no tool of this project",
    "The folder is there already",
    "write origins joined by commas",
  ])
    expect(found("x", old)).not.toEqual([]);
});
