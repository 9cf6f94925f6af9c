// `npm test`: the one command that says whether everything holds. Cheap checks first; it stops at the first failure.
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { ensureChromium } from "./chromium";

type Counts = { passed: number; failed: number; skipped: number };
type Step = { title: string; args: string[]; report?: "vitest" | "playwright" };

const steps: Step[] = [
  { title: "style", args: ["run", "lint"] },
  { title: "types", args: ["run", "types"] },
  { title: "import law", args: ["run", "law"] },
  { title: "dead code", args: ["run", "dead"] },
  { title: "unit tests", args: ["run", "unit"], report: "vitest" },
  { title: "database tests", args: ["run", "test:pg"], report: "vitest" },
  { title: "unit and database tests on Node 24", args: ["run", "test:node24"], report: "vitest" },
  { title: "build", args: ["run", "build"] },
  { title: "chaos", args: ["run", "chaos", "--", "--minutes", "1", "--seed", "7"] },
  { title: "fuzz", args: ["run", "fuzz", "--", "--requests", "2000", "--seed", "7"] },
  { title: "browser tests", args: ["run", "test:e2e"], report: "playwright" },
];

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "switchyard-test-"));
const total: Counts = { passed: 0, failed: 0, skipped: 0 };
/** Tests that failed and then passed: not enough to refuse a change, but worth reporting. */
const retried: string[] = [];
try {
  // Find out about a missing browser now, not after ten minutes.
  const browser = ensureChromium(console.log);
  for (const [index, step] of steps.entries()) {
    const started = Date.now();
    console.log(`\n[${index + 1}/${steps.length}] ${step.title}`);
    const isGood = await runStep(step, browser);
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    console.log(`[${index + 1}/${steps.length}] ${step.title}: ${isGood ? "good" : "FAILED"} (${seconds} s)`);
    if (!isGood) break;
  }
} catch (error) {
  total.failed += 1;
  console.error(error instanceof Error ? error.message : error);
} finally {
  fs.rmSync(scratch, { recursive: true, force: true });
}
process.exitCode = total.failed > 0 ? 1 : 0;
if (retried.length > 0) console.log(`\nPassed only at the second try:\n  ${retried.join("\n  ")}`);
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);

async function runStep(step: Step, browser: string): Promise<boolean> {
  const file = path.join(scratch, `${step.args[1]}.json`);
  const env = { ...process.env, CHROMIUM_PATH: browser, FORCE_COLOR: "0", PLAYWRIGHT_JSON_OUTPUT_FILE: file };
  const code = await run("npm", [...step.args, ...reporters(step, file)], env);
  const counts = step.report ? readCounts(step.report, file) : { passed: 0, failed: 0, skipped: 0 };
  // A step that fails without a failed test (a style fault, a test file that does not load) is a failure all the same.
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  total.passed += counts.passed;
  total.failed += counts.failed;
  total.skipped += counts.skipped;
  return code === 0 && counts.failed === 0;
}

function reporters(step: Step, file: string): string[] {
  if (step.report === "vitest") return ["--", "--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  return step.report === "playwright" ? ["--", "--reporter=list,json"] : [];
}

function readCounts(report: "vitest" | "playwright", file: string): Counts {
  if (!fs.existsSync(file)) return { passed: 0, failed: 1, skipped: 0 };
  const json = JSON.parse(fs.readFileSync(file, "utf8"));
  if (report === "playwright") {
    const { expected, flaky, unexpected, skipped } = json.stats;
    if (flaky > 0) retried.push(`${flaky} of the browser tests (marked flaky above)`);
    return { passed: expected + flaky, failed: unexpected, skipped };
  }
  for (const { name, assertionResults } of json.testResults)
    for (const { status, fullName, failureMessages } of assertionResults)
      if (status === "passed" && failureMessages.length > 0)
        retried.push(`${path.relative(process.cwd(), name)} > ${fullName}: ${failureMessages[0].split("\n")[0]}`);
  return {
    passed: json.numPassedTests,
    failed: json.numFailedTests,
    skipped: json.numPendingTests + json.numTodoTests,
  };
}

function run(command: string, args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: ["ignore", "inherit", "inherit"] });
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
}
