import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeScratch } from "@/server/testing/scratch";
import { readReport } from "./test-report";

let dir: string;
beforeEach(() => {
  dir = makeScratch();
});
afterEach(() => fs.rmSync(dir, { recursive: true }));

function written(json: object): string {
  const file = path.join(dir, "report.json");
  fs.writeFileSync(file, JSON.stringify(json));
  return file;
}

async function failureOfProperty(): Promise<string> {
  const property = fc.property(fc.constant("settle | end 0"), () => {
    throw new Error("no order explains it\nbefore {}");
  });
  return fc.assert(property, { seed: 7, endOnFailure: true, includeErrorInReport: true }) as never;
}

test("a test that passed at its second try is named with all of its first message, and no stack", async () => {
  const error = await failureOfProperty().catch((reason: Error) => reason);
  if (!(error instanceof Error)) throw new Error("the property was to fail");
  const name = path.join(process.cwd(), "server/x.pg.test.ts");
  const file = written({
    numPassedTests: 2,
    numFailedTests: 0,
    numPendingTests: 1,
    numTodoTests: 1,
    testResults: [
      {
        name,
        assertionResults: [
          { status: "passed", fullName: "batch", failureMessages: [error.stack] },
          { status: "passed", fullName: "at once", failureMessages: [] },
        ],
      },
    ],
  });
  const { retried, ...counts } = readReport("vitest", file);
  expect(counts).toEqual({ passed: 2, failed: 0, skipped: 2 });
  expect(retried).toHaveLength(1);
  expect(retried[0]).toMatch(/^server\/x\.pg\.test\.ts > batch: /);
  for (const part of ["seed: 7", 'path: "0"', "settle | end 0", "no order explains it", "before {}"])
    expect(retried[0]).toContain(part);
  expect(retried[0]).not.toMatch(/^\s+at /m);
});

test("flaky browser tests count as passed, and are told", () => {
  const file = written({ stats: { expected: 3, flaky: 1, unexpected: 2, skipped: 4 } });
  expect(readReport("playwright", file)).toEqual({
    passed: 4,
    failed: 2,
    skipped: 4,
    retried: ["1 of the browser tests (marked flaky above)"],
  });
});

test("a report that is missing is a failure", () => {
  expect(readReport("vitest", path.join(dir, "none.json"))).toMatchObject({ passed: 0, failed: 1 });
});
