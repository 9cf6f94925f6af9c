// The list of failure codes and the source agree: what is written is listed, and what is listed is written.
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { errorCodes, failureOf } from "./failure-codes";
import { type Failure, failures } from "./failures";

const root = path.join(import.meta.dirname, "../..");
const folders = ["server", "app", "components", "scripts", "prisma/migrations"];
const isSource = (file: string) =>
  /\.(ts|tsx|sql)$/.test(file) && !/\.test\.tsx?$|\/testing\/|contract\/failures\.ts$/.test(file);

const sources = folders.flatMap((folder) =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
    .filter(isSource)
    .map((file) => ({ file, text: fs.readFileSync(path.join(root, file), "utf8") })),
);

/** Where a code stands that goes into a row, an answer or a tool's result. */
const positions = [
  /\b(?:KernelError|ModelError|TimedOut|rejected)\(\s*"(\w+)"/g,
  /\berror_code:\s*"(\w+)"/g,
  /\berror_code['"]?\s*(?:=|,)\s*'(\w+)'/g,
  /\bcode:\s*"([a-z]\w*)",\s*message\b/g,
  /\berror_code:[^,;\n]*\?\s*"(\w+)"/g,
  /\berror_code:[^,;\n]*\?[^,;\n]*:\s*"(\w+)"/g,
];
const codesIn = (text: string): string[] =>
  positions.flatMap((position) => [...text.matchAll(position)].flatMap(([, code]) => code ?? []));

/** Made up of pieces, a code is found by no search: of those there is one, the HTTP status of a tool's service. */
const madeUp = (text: string): string[] =>
  [...text.matchAll(/(?:error_code:|(?:KernelError|ModelError|rejected|failed)\()\s*`([^`]*)`\s*,/g)].flatMap(
    ([, code]) => code ?? [],
  );

const isListed = (code: string) => failureOf(code) !== undefined;

const schemaWords = ["custom"];

test("every code that the source writes is listed", () => {
  const strangers = sources.flatMap(({ file, text }) =>
    codesIn(text)
      .filter((code) => !isListed(code) && !schemaWords.includes(code))
      .map((code) => `${file}: ${code}`),
  );
  expect(strangers).toEqual([]);
  expect(sources.flatMap(({ text }) => madeUp(text))).toEqual(["http_$" + "{status}"]);
});

test("every code that is listed is written", () => {
  const server = sources.filter(({ file }) => !file.startsWith("components/")).map(({ text }) => text);
  const isWritten = (code: string) => {
    if (code === "http_<status>") return server.some((text) => text.includes("`http_$" + "{"));
    const position = new RegExp(
      `(?:\\(\\s*|\\w:\\s*|\\?\\s*|'?error_code'?\\s*[=,]\\s*)["']${code}["']|, "${code}"\\)`,
    );
    return server.some((text) => position.test(text));
  };
  expect(Object.keys(failures).filter((code) => !isWritten(code))).toEqual([]);
});

test("the search finds a code in each of its places", () => {
  const places = [
    'throw new KernelError(\n "a_b", "x")',
    'rejected("a_b", "x")',
    'error_code: "a_b"',
    "UPDATE t SET error_code = 'a_b'",
    "jsonb_build_object('error_code', 'a_b')",
    'error_code: isLate ? "x" : "a_b"',
    'error: { code: "a_b", message }',
  ];
  for (const place of places) expect(codesIn(place), place).toContain("a_b");
});

test("each entry says its cause and its remedy in plain sentences", () => {
  for (const [code, { cause, remedy, where, status }] of Object.entries<Failure>(failures)) {
    expect(cause, code).toMatch(/^[A-Z`].*\.$/);
    expect(remedy, code).toMatch(/^[A-Z].*\.$/);
    expect(where.length, code).toBeGreaterThan(0);
    // A request is refused with a status, and only a request has one.
    expect(where.includes("request"), code).toBe(status !== null);
  }
  expect(errorCodes).toContain("auth_failed");
  expect(errorCodes).not.toContain("model_auth_failed");
  expect(failureOf("http_503")).toBe(failures["http_<status>"]);
  expect(failureOf("constructor")).toBeUndefined();
});
