import { expect, test } from "vitest";
import { filesNamedIn } from "./files-named-in";
import type { ToolResult } from "./read-results";
import { redactor } from "./redactor";
import { repoFacts } from "./repo-facts";
import { whatHappened } from "./what-happened";

const paths = new Set(["src/a.ts", "src/deep/b.py", "README", "app/[id]/page.tsx", "a.ts"]);
let at = 0;
const failed = (tool_name: string, error: string): ToolResult => ({
  ...{ card_id: `c${++at}`, tool_name, at, is_failure: true, error, text: error },
});
const done = (tool_name: string, text: string): ToolResult => ({
  ...{ card_id: `c${++at}`, tool_name, at, is_failure: false, text },
});
const of = (...results: ToolResult[]) => whatHappened(results, { paths, redact: redactor });

test("a failure is evidence, with the files it names, until the same tool succeeds", () => {
  const broken = failed("run_tests", "src/a.ts:12:3 expected 1\n  at f (/home/u/code/src/deep/b.py:4)");
  expect(of(broken)).toEqual([
    {
      seq: broken.at,
      kind: "error",
      ref: `card://${broken.card_id}`,
      type: "log",
      summary: "run_tests failed: src/a.ts:12:3 expected 1 at f (/home/u/code/src/deep/b.py:4)",
      isFailure: true,
      files: ["src/a.ts", "src/deep/b.py"],
    },
  ]);
  expect(of(broken, done("search", "nothing")).map(({ isFailure }) => isFailure)).toEqual([true]);
  const after = of(broken, done("run_tests", "all passed"));
  expect(after.map(({ kind, isFailure }) => [kind, isFailure])).toEqual([
    ["error", false],
    ["test_result", false],
  ]);
});

test("a diff says which files changed; a result that failed nowhere says nothing", () => {
  const diff = "diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n+x";
  expect(of(done("edit", diff), done("look", "src/a.ts"))).toMatchObject([
    { kind: "diff", type: "diff", isFailure: false, files: ["src/a.ts"] },
  ]);
});

test("at most 20 events, each one line of at most 300 characters, without secrets", () => {
  const many = of(...Array.from({ length: 30 }, (_, i) => failed("t", `${i} ${"é".repeat(500)}`)));
  expect(many).toHaveLength(20);
  expect(many.at(-1)?.summary).toMatch(/^t failed: 29 é+…$/);
  expect([...(many.at(-1)?.summary ?? "")]).toHaveLength(300);
  const token = `ghp_${"a1B2".repeat(9)}`;
  expect(of(failed("push", `refused for ${token}`))[0]?.summary).toBe(
    "push failed: refused for [REDACTED:github_token]",
  );
});

test.each([
  ["a name with brackets", "in app/[id]/page.tsx:3", ["app/[id]/page.tsx"]],
  ["a Windows path", "C:\\work\\src\\a.ts(3,4)", ["src/a.ts"]],
  ["a name at the root, alone", "see README.", ["README"]],
  ["the name of a file at the root, in another folder", "at other/a.ts", []],
  ["no file of the workspace", "at src/nowhere.ts", []],
  ["twice the same", "src/a.ts src/a.ts", ["src/a.ts"]],
])("%s", (_, text, files) => expect(filesNamedIn(text, paths)).toEqual(files));

test("facts: the language with the most files, and the manager of its packages", () => {
  const files = (...names: string[]) =>
    names.map((path) => ({ path, sha256: "0".repeat(64), size: 1, kind: "text" as const }));
  expect(repoFacts(files("a.ts", "b.tsx", "c.py", "package.json", "pnpm-lock.yaml"))).toEqual({
    language: "TypeScript",
    packageManager: "pnpm",
  });
  expect(repoFacts(files("b.py", "a.go", "deep/go.mod"))).toEqual({ language: "Go" });
  expect(repoFacts([])).toEqual({});
});
