// The rules of .gitignore against git itself, on patterns that are used and on random ones.
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { IgnoreRules } from "./ignore-rules";
import { readFolder } from "./read-folder";
import { SourceFault } from "./source";

const root = fs.mkdtempSync(path.join(os.tmpdir(), "sy-ignore-"));
execFileSync("git", ["init", "-q"], { cwd: root });
afterAll(() => fs.rmSync(root, { recursive: true, force: true }), 60_000);

const paths = [
  ..."a|b.log|a.b|foo|foobar|A|ü|üa|a[b|a]b|-|]|!a|#a|a |a b|a*b|a\\b|**|a\nb|ab/ba|aa/ab/b".split("|"),
  ..."x/a|x/b.log|x/foo|x/a b|x/#a|x/!a|x/a |x/ü|x/-/]|x/y/a|x/y/foo|foo/bar/a|foo/x/bar|x/a/y/b|x/y/z/y/a".split("|"),
];
type Case = [text: string, below: string];

/** A folder for each case, so that git is started once. No file is made: git is asked about names only. */
function byGit(cases: readonly Case[]): string[][] {
  const base = fs.mkdtempSync(path.join(root, "all-"));
  for (const [index, [text, below]] of cases.entries()) {
    fs.mkdirSync(path.join(base, `${index}/x`), { recursive: true });
    fs.writeFileSync(path.join(base, `${index}/.gitignore`), text);
    fs.writeFileSync(path.join(base, `${index}/x/.gitignore`), below);
  }
  const asked = cases.flatMap((_, index) => paths.map((one) => `${path.basename(base)}/${index}/${one}`));
  const { status, stdout } = spawnSync("git", ["check-ignore", "--no-index", "-z", "--stdin"], {
    cwd: root,
    input: asked.join("\0"),
    maxBuffer: 1e9,
  });
  // 1 = none of them.
  expect([0, 1]).toContain(status);
  const found = new Set(stdout.toString().split("\0"));
  return cases.map((_, index) => paths.filter((one) => found.has(`${path.basename(base)}/${index}/${one}`)));
}

function byUs([text, below]: Case): string[] {
  const rules = new IgnoreRules();
  rules.add("", Buffer.from(text));
  rules.add("x", Buffer.from(below));
  return paths.filter((one) => {
    const names = one.split("/");
    return names.some((_, index) => rules.ignores(names.slice(0, index + 1).join("/"), index < names.length - 1));
  });
}

const compare = (cases: readonly Case[]) => {
  const ours = cases.map((one) => ({ one, ignored: byUs(one) }));
  const theirs = byGit(cases).map((ignored, index) => ({ one: cases[index], ignored }));
  expect(ours).toEqual(theirs);
};

test("patterns that people write ignore what git ignores", () => {
  compare([
    ["*.log\n", ""],
    ["/a\n", ""],
    ["a\n", "!a\n"],
    ["x/\n", "!a\n"],
    ["x/*\n!x/a\n", ""],
    ["**/foo\n", ""],
    ["foo/**\n", ""],
    ["x/**/a\n", ""],
    ["**\n!x/\n", ""],
    ["\\#a\n", "#a\n"],
    ["a \n", "a\\ b\n"],
    ["[ab]*\r\n", "[!f]*\n"],
    ["[[:alpha:]].b\n", "fo?\n"],
    ["\\a\n[a\n\\\n", "!\n/\n"],
    ["x//a\n//\n/**\n", ""],
    ["a/\n", "y/*\n"],
    ["*\n!*/\n!*.log\n", ""],
    ["/*\n!/x\n/x/*\n!/x/y\n", ""],
    ["x/y/\n!x/y/a\n", ""],
    ["\uFEFFa\n", "a\\ \n"],
    ["a\\ \\ \n!a\n", "\\!a\n"],
  ]);
});

test("odd patterns ignore what git ignores", () => {
  const odd = [
    // Two stars that do not stand alone, and what git makes of them behind plain text.
    [
      "foo**/bar",
      "foo**",
      "x/a**",
      "**a",
      "a**b",
      "***",
      "x/***/a",
      "***/a",
      "**/**/a",
      "x/**/",
      "**/",
      "/**/a",
      "x**/a",
    ],
    ["x/**\\/a", "x\\/a", "\\x/a", "x/\\*", "\\**", "a\\*b", "a\\\\b", "\\", "a\\", "x/**/*", "**/x/**", "**/x/**/a"],
    // Brackets.
    [
      "[!a]",
      "[^a]",
      "[]]",
      "[!]]",
      "[]-a]",
      "[a-]",
      "[--a]",
      "[a-a-z]",
      "a[/]b",
      "x[/]a",
      "x/[!y]",
      "[[:alpha:]",
      "[[:nobody:]]",
    ],
    [
      "[[:]",
      "[[:a]",
      "[[:]]",
      "[[::]]",
      "[\\]]",
      "[\\a-\\z]",
      "[z-a]",
      "a[[]b",
      "[[:upper:]]",
      "[[:punct:]]",
      "[!-~]",
      "[ü]",
      "[ü][ü]",
    ],
    // Bytes and not letters.
    [
      "?",
      "??",
      "??a",
      "*?",
      "?*",
      "x/?",
      "x?a",
      "x*a",
      "*/a",
      "*/*/a",
      "x/*/*/a",
      "*/",
      "?/",
      "!",
      "!!a",
      "!/",
      "/",
      "//",
    ],
    [
      "a\0b",
      "a ",
      "a  ",
      "\\ ",
      " a",
      "a\t",
      "#",
      "\\#a",
      "a#",
      "!#a",
      "\r",
      "a\r",
      "a\r\r",
      "a \r",
      "\u2028",
      "A",
      "\\A",
    ],
  ].flat();
  compare(
    odd.flatMap((one): Case[] => [
      [`${one}\n`, ""],
      [`*\n!*/\n!${one}\n`, ""],
      ["", one],
      [`${one}\n`, `!${one}`],
    ]),
  );
});

const pieces = [
  "a",
  "b",
  "foo",
  "x",
  "y",
  "ü",
  "*",
  "**",
  "?",
  "/",
  "/",
  ".",
  "[ab]",
  "[!a]",
  "[",
  "]",
  "-",
  ":",
  "!",
  "\\",
  " ",
  "#",
];

test.each([1, 2])(
  "random patterns ignore what git ignores (seed %i)",
  (seed) => {
    const line = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 7 }).map((one) => one.join(""));
    const text = fc.array(line, { maxLength: 3 }).map((one) => `${one.join("\n")}\n`);
    compare(fc.sample(fc.tuple(text, text), { numRuns: 1_000, seed }));
  },
  60_000,
);

test("a tree of files is left with those that git lists", async () => {
  const tree = fs.mkdtempSync(path.join(root, "tree-"));
  execFileSync("git", ["init", "-q"], { cwd: tree });
  const lay = (name: string, text: string) => {
    fs.mkdirSync(path.dirname(path.join(tree, name)), { recursive: true });
    fs.writeFileSync(path.join(tree, name), text);
  };
  for (const one of ["", "y/", "deep/x/y/", "deep/z/x/"])
    for (const name of paths) if (!/^(foo|x\/a)\//.test(name)) lay(`${one}${name}`, "text");
  lay(".gitignore", "*.log\n/x/y/*\n!/x/y/foo\n**/foo/bar\n-/\n[[:punct:]]\nüa\n");
  lay("x/.gitignore", "!b.log\n/a\n*/y/\n!y/\n");
  lay("x/y/.gitignore", "!*\na?b\n");
  lay("deep/.gitignore", "*\n!*/\n!/x/**\n!a*\n");
  const listed = execFileSync("git", ["ls-files", "-o", "--exclude-standard", "-z"], { cwd: tree, encoding: "utf8" });
  const found: string[] = [];
  const limits = { filesMax: 10_000, fileBytesMax: 1_000, totalBytesMax: 1e6 };
  for await (const one of readFolder(tree, limits)) found.push(one.path);
  expect(found.sort()).toEqual(listed.split("\0").filter(Boolean).sort());
  expect(found.length).toBeGreaterThan(50);
});

test("a pattern of many stars ends at once, and many of them end at a limit", () => {
  const rules = new IgnoreRules(50_000_000);
  rules.add("", Buffer.from(`${"*a".repeat(60)}*[b]*\n${"**/a/".repeat(100)}b\n`));
  expect(rules.ignores("a".repeat(250), false)).toBe(false);
  expect(rules.ignores(`${"a/".repeat(60)}a`, false)).toBe(false);
  // Steps and not seconds: two patterns, each at most its length times that of the name.
  expect(rules.steps).toBeLessThan(100_000);
  rules.add("", Buffer.from(`${`${"*a".repeat(500)}*[b]*\n`.repeat(200)}`));
  const all = () => {
    for (let i = 0; i < 1_000; i++) rules.ignores(`${"a".repeat(250)}${i}`, false);
  };
  expect(all).toThrow("take too long to compare. Use fewer");
  expect(rules.steps).toBeLessThan(200_000_000);
});

test("too much of it is refused, and says what to do", () => {
  const rules = new IgnoreRules();
  expect(() => rules.add("sub", Buffer.from("a\n".repeat(5_001)))).toThrow(SourceFault);
  expect(() => rules.add("", Buffer.from("a".repeat(1_025)))).toThrow(".gitignore: line 1 has more than 1024 bytes");
  expect(() => rules.add("", Buffer.alloc(300_000))).toThrow("Make it shorter");
});
