// What a step of `npm test` came to, read from the JSON report of its test runner.
import fs from "node:fs";
import path from "node:path";

export type Report = "vitest" | "playwright";
export type Counts = { passed: number; failed: number; skipped: number };

/** `retried`: what passed only at a second try. A report that is missing is a failure: the runner did not get that far. */
export function readReport(report: Report, file: string): Counts & { retried: string[] } {
  if (!fs.existsSync(file)) return { passed: 0, failed: 1, skipped: 0, retried: [] };
  const json = JSON.parse(fs.readFileSync(file, "utf8"));
  if (report === "playwright") {
    const { expected, flaky, unexpected, skipped } = json.stats;
    const retried = flaky > 0 ? [`${flaky} of the browser tests (marked flaky above)`] : [];
    return { passed: expected + flaky, failed: unexpected, skipped, retried };
  }
  const retried: string[] = [];
  for (const { name, assertionResults } of json.testResults)
    for (const { status, fullName, failureMessages } of assertionResults)
      if (status === "passed" && failureMessages.length > 0)
        retried.push(`${path.relative(process.cwd(), name)} > ${fullName}: ${messageOf(failureMessages[0])}`);
  return {
    passed: json.numPassedTests,
    failed: json.numFailedTests,
    skipped: json.numPendingTests + json.numTodoTests,
    retried,
  };
}

/**
 * Without the stack. The first line alone used to be kept: of a property it says that it failed after so many runs, and its
 * seed, its counterexample and the reason are on the lines below.
 */
function messageOf(failure: string): string {
  const [message = ""] = failure.split(/\n\s+at /);
  return message.trimEnd().replaceAll("\n", "\n    ");
}
