// The list of failure codes and the source agree: every code written is listed, and every listed code is written.
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

/** Places in the source where a code goes into a row, an answer or a tool's result. */
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

/** No search finds a code built from pieces. There is one: the HTTP status of a tool's service. */
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

// A bare code tells a person nothing, and a remedy worded elsewhere contradicts the list.
const shownElsewhere = {
  "components/palette/hit-items.tsx": "one line of a list; its preview has the remedy",
  "components/project/new-project-form.tsx": "asks which code it is, and shows none",
  "components/health/failing-rows.tsx": "whatHelps takes the list's remedy where the watchdog has one",
};

test("wherever a screen shows a code, it shows the list's remedy, with one component", () => {
  const screens = sources.filter(({ file, text }) => file.endsWith(".tsx") && text.includes("error_code"));
  const bare = screens.filter(({ text }) => !text.includes("<Remedy code=")).map(({ file }) => file);
  expect(bare.toSorted()).toEqual(Object.keys(shownElsewhere).toSorted());
  for (const file of [
    "batch/branch-row",
    "batch/branch-detail",
    "launch/refusal",
    "inbox/watchdog-note",
    "domain/failure",
  ])
    expect(sources.find((one) => one.file === `components/${file}.tsx`)?.text, file).toContain("<Remedy code=");
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
