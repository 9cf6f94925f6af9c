// `npm test`: the one command that says whether everything holds. Cheap checks first; it stops at the first stage that fails.
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { ensureChromium } from "./chromium";
import { type Counts, type Report, readReport } from "./test-report";

type Step = { title: string; args: string[]; report?: Report };

/**
 * The steps of a stage run at the same time: those that use one of two processors, or mostly wait. Not the build beside
 * tests: it writes the database client again, which they load.
 */
const stages: Step[][] = [
  [
    { title: "types", args: ["run", "types"] },
    { title: "style", args: ["run", "lint"] },
    { title: "import law", args: ["run", "law"] },
    { title: "dead code", args: ["run", "dead"] },
  ],
  [{ title: "unit tests", args: ["run", "unit"], report: "vitest" }],
  [{ title: "database tests", args: ["run", "test:pg"], report: "vitest" }],
  [{ title: "build", args: ["run", "build"] }],
  [{ title: "tests on Node 24", args: ["run", "test:node24"], report: "vitest" }],
  // By itself: beside it, processes that tests start on a Node whose code is not compiled yet were not there in time.
  // Chaos mostly waits: for its faults, and for what they break to heal.
  [
    { title: "chaos", args: ["run", "chaos", "--", "--minutes", "1", "--seed", "7"] },
    { title: "fuzz", args: ["run", "fuzz", "--", "--requests", "2000", "--seed", "7"] },
  ],
  [{ title: "browser tests", args: ["run", "test:e2e"], report: "playwright" }],
];

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "switchyard-test-"));
const total: Counts = { passed: 0, failed: 0, skipped: 0 };
/** Tests that failed and then passed: not enough to refuse a change, but worth reporting. */
const retried: string[] = [];
const secondsSince = (time: number): string => ((Date.now() - time) / 1000).toFixed(1);
const started = Date.now();
try {
  // Find out about a missing browser now, not after ten minutes.
  const browser = ensureChromium(console.log);
  for (const [index, stage] of stages.entries()) {
    const at = `[${index + 1}/${stages.length}]`;
    const good = await Promise.all(stage.map((step, i) => runStep(step, { at, browser, isKept: i > 0 })));
    if (good.includes(false)) break;
  }
} catch (error) {
  total.failed += 1;
  console.error(error instanceof Error ? error.message : error);
} finally {
  fs.rmSync(scratch, { recursive: true, force: true });
}
process.exitCode = total.failed > 0 ? 1 : 0;
if (retried.length > 0) console.log(`\nPassed only at the second try:\n  ${retried.join("\n  ")}`);
console.log(`\nAll stages took ${secondsSince(started)} s`);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);

/** Of the steps of a stage, the first writes as it goes, and what the others write is kept until they have ended. */
type Run = { at: string; browser: string; isKept: boolean };

async function runStep(step: Step, { at, browser, isKept }: Run): Promise<boolean> {
  const begun = Date.now();
  const file = path.join(scratch, `${step.args[1]}.json`);
  const env = { ...process.env, CHROMIUM_PATH: browser, FORCE_COLOR: "0", PLAYWRIGHT_JSON_OUTPUT_FILE: file };
  if (!isKept) console.log(`\n${at} ${step.title}`);
  const { code, output } = await run("npm", [...step.args, ...reporters(step, file)], env, isKept);
  if (isKept) console.log(`\n${at} ${step.title}\n${output.trimEnd()}`);
  const report = step.report ? readReport(step.report, file) : { passed: 0, failed: 0, skipped: 0, retried: [] };
  // A step that fails without a failed test (a style fault, a test file that does not load) is a failure all the same.
  if (code !== 0 && report.failed === 0) report.failed = 1;
  total.passed += report.passed;
  total.failed += report.failed;
  total.skipped += report.skipped;
  retried.push(...report.retried);
  const isGood = code === 0 && report.failed === 0;
  console.log(`${at} ${step.title}: ${isGood ? "good" : "FAILED"} (${secondsSince(begun)} s)`);
  return isGood;
}

function reporters(step: Step, file: string): string[] {
  if (step.report === "vitest") return ["--", "--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  return step.report === "playwright" ? ["--", "--reporter=list,json"] : [];
}

function run(command: string, args: string[], env: NodeJS.ProcessEnv, isKept: boolean) {
  return new Promise<{ code: number; output: string }>((resolve, reject) => {
    const child = spawn(command, args, {
      env,
      stdio: isKept ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (chunk: string) => {
        output += chunk;
      });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}
