// The rules of .gitignore against git itself, on patterns that are used and on random ones.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { IgnoreRules } from "./ignore-rules";
import { SourceFault } from "./source";

const root = fs.mkdtempSync(path.join(os.tmpdir(), "sy-ignore-"));
execFileSync("git", ["init", "-q"], { cwd: root });
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

const paths = [
  "a",
  "b.log",
  "a.b",
  "foo",
  "x/a",
  "x/b.log",
  "x/foo",
  "x/y/a",
  "x/y/foo",
  "foo/bar/a",
  "x/a b",
  "x/#a",
  "ab/ba",
];

/** No file is made: git is asked about names only. */
function byGit(text: string, below: string): string[] {
  fs.writeFileSync(path.join(root, ".gitignore"), text);
  fs.mkdirSync(path.join(root, "x"), { recursive: true });
  fs.writeFileSync(path.join(root, "x/.gitignore"), below);
  try {
    return execFileSync("git", ["check-ignore", "--no-index", "-z", "--stdin"], {
      cwd: root,
      input: paths.join("\0"),
      stdio: ["pipe", "pipe", "ignore"],
    })
      .toString()
      .split("\0")
      .filter(Boolean);
  } catch (error) {
    if ((error as { status: number }).status === 1) return [];
    throw error;
  }
}

function byUs(text: string, below: string): string[] {
  const rules = new IgnoreRules();
  rules.add("", Buffer.from(text));
  rules.add("x", Buffer.from(below));
  return paths.filter((one) => {
    const names = one.split("/");
    return names.some((_, index) => rules.ignores(names.slice(0, index + 1).join("/"), index < names.length - 1));
  });
}

test.each([
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
])("%j and below %j ignore what git ignores", (text, below) => {
  expect(byUs(text, below)).toEqual(byGit(text, below));
});

test("random patterns ignore what git ignores", () => {
  const piece = fc.constantFrom(
    "a",
    "b",
    "foo",
    "x",
    "y",
    "*",
    "**",
    "?",
    "/",
    ".",
    "[ab]",
    "[!a]",
    "!",
    "\\",
    " ",
    "#",
    "log",
  );
  const line = fc.array(piece, { minLength: 1, maxLength: 5 }).map((one) => one.join(""));
  const text = fc.array(line, { maxLength: 3 }).map((one) => `${one.join("\n")}\n`);
  fc.assert(
    fc.property(text, text, (above, below) => {
      expect(byUs(above, below)).toEqual(byGit(above, below));
    }),
    { numRuns: 300 },
  );
}, 60_000);

test("a pattern of many stars ends at once", () => {
  const rules = new IgnoreRules();
  rules.add("", Buffer.from(`${"*a".repeat(60)}*b\n${"**/a/".repeat(100)}b\n`));
  expect(rules.ignores("a".repeat(250), false)).toBe(false);
  expect(rules.ignores(`${"a/".repeat(60)}a`, false)).toBe(false);
});

test("too much of it is refused, and says what to do", () => {
  const rules = new IgnoreRules();
  expect(() => rules.add("sub", Buffer.from("a\n".repeat(5_001)))).toThrow(SourceFault);
  expect(() => rules.add("", Buffer.from("a".repeat(1_025)))).toThrow(
    ".gitignore: line 1 has more than 1024 characters",
  );
  expect(() => rules.add("", Buffer.alloc(300_000))).toThrow("Make it shorter");
});
