// The repository stands alone: a page that a comment or a page refers to is shipped. Comments used to cite design files that
// only their authors had.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
const files = execFileSync("git", ["ls-files", "*.ts", "*.tsx", "*.md", "*.mjs", "*.sql", "*.css"], {
  cwd: root,
  encoding: "utf8",
})
  .trim()
  .split("\n")
  .filter((file) => fs.existsSync(path.join(root, file)));

const CITED = /(?<![\w/.-])((?:\.{1,2}\/|[\w-]+\/)*[\w.-]+\.md)\b/g;
// What a person's own files are called in an example, and the shared files that tests read where they are there.
const examples = /^(\.\.\/shared\/.*|notes\.md|file\.md)$/;

function missingOf(file: string): string[] {
  const text = fs.readFileSync(path.join(root, file), "utf8");
  const cited = [...text.matchAll(CITED)].flatMap(([, name]) =>
    name === undefined || examples.test(name) ? [] : [name],
  );
  const stands = (name: string): boolean =>
    [
      root,
      path.dirname(path.join(root, file)),
      ...["docs", "server", "server/kernel"].map((name) => path.join(root, name)),
    ].some((folder) => fs.existsSync(path.resolve(folder, name)));
  return cited.filter((name) => !stands(name)).map((name) => `${file}: ${name}`);
}

test("every page that is cited is in the repository", () => {
  expect(files.length).toBeGreaterThan(1000);
  expect(files.filter((file) => !file.endsWith("cited-docs.test.ts")).flatMap(missingOf)).toEqual([]);
});
