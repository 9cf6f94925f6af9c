// One run that uses every verb is played once to learn which points its units pass; then once more for each of them, with
// the unit failing there: before the commit nothing of it is left, after the commit its answer and its follow-ups are
// lost, as when a process dies. It must come to the same end every time.
import { expect, test } from "vitest";
import { KernelError } from "@/server/contract/errors";
import { createKernel, type Kernel } from "@/server/kernel/kernel";
import { checkInvariants } from "@/server/testing/invariants";
import { openTestKernel } from "@/server/testing/kernel";
import { hastyTunables, type Outcome, playWholeRun } from "@/server/testing/whole-run";

// What tells a unit from the others: a statement that only it makes. The first that fits counts.
const VERBS: [statement: string, verb: string][] = [
  ["run_number", "launch"],
  ["stop_tree", "stop"],
  ["report_late", "late report"],
  ["report_head", "report"],
  ["resume_head", "resume"],
  ["turns_started", "start"],
  ["inbox_claim", "claim"],
  ["reclaim_is_silent", "take over"],
  ["reclaim_unstarted", "requeue"],
  ["expire_head", "tool timeout"],
  ["dispatch_failed", "dispatch failed"],
  ["dispatch_lock", "dispatch"],
  ["turn_beat", "heartbeat"],
  ["step_begin", "begin step"],
  ["waits_of_turn", "suspend"],
  ["fork_replay", "fork"],
  ["delegate_replay", "delegate"],
  ["wait_insert", "external call"],
  ["batch_end", "join"],
  ["batch_lock", "settle"],
  ["step_end", "end step"],
  ["turn_grow", "append"],
  ["turns_lock", "deliver"],
];

const GENERIC = ["before-commit", "after-commit"];
/** Missing from what was collected = the run does not use that verb any more, or the point is gone. */
const EXPECTED: [verb: string, points: string[]][] = [
  ["launch", ["after-enqueue"]],
  ["claim", []],
  ["start", []],
  ["begin step", []],
  ["append", []],
  ["end step", []],
  ["delegate", ["after-enqueue"]],
  ["reuse", ["after-enqueue"]],
  ["fork", ["fork-before-batch", "after-enqueue"]],
  ["external call", []],
  ["suspend", []],
  ["report", []],
  ["late report", []],
  ["tool timeout", []],
  ["resume", ["before-apply", "applied-not-moved"]],
  ["dispatch", ["before-dispatch", "after-enqueue"]],
  ["settle", ["settle-locked", "batch-before-end"]],
  ["join", []],
  ["deliver", ["before-end"]],
  ["stop", ["stop-locked", "before-end"]],
  ["take over", ["before-take-over"]],
  ["heartbeat", []],
];

const atOnce = 6;
const runMsMax = 25_000;

test("a run comes to the same end wherever one of its units fails", async () => {
  const points = new Map<string, number>();
  const base = await play((point) => {
    points.set(point, (points.get(point) ?? 0) + 1);
  });
  expect(base.violations).toEqual([]);
  const expected = EXPECTED.flatMap(([verb, own]) => [...GENERIC, ...own].map((point) => `${verb} @ ${point}`));
  expect(expected.filter((point) => !points.has(point))).toEqual([]);

  const plan = [...points.keys()].sort();
  const failures: string[] = [];
  const covered: string[] = [];
  const left = [...plan];
  const started = Date.now();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let point = left.shift(); point !== undefined; point = left.shift()) {
        const t0 = Date.now();
        const failure = await playWithFault(point, base.outcome);
        console.log("DEBUG", point, Date.now() - t0, failure);
        if (failure === null) covered.push(point);
        else failures.push(`${point}: ${failure}`);
      }
    }),
  );
  console.log(
    `${covered.length} points in ${Math.round((Date.now() - started) / 1000)} s:\n${covered.sort().join("\n")}`,
  );
  expect(failures).toEqual([]);
}, 180_000);

/** Null, or what was wrong. */
async function playWithFault(point: string, expected: Outcome): Promise<string | null> {
  let hits = 0;
  try {
    const { outcome, violations } = await play((passed) => {
      if (passed !== point || hits++ > 0) return;
      throw new KernelError("storage_error", `the database went away at ${point}`);
    });
    if (hits === 0) return "was not passed";
    if (violations.length > 0) return JSON.stringify(violations);
    expect(outcome).toEqual(expected);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function play(onPoint: (point: string) => void) {
  const quiet = await openTestKernel({ tunables: hastyTunables });
  try {
    const kernel: Kernel = createKernel({
      ...quiet,
      probe: (point, statements) => onPoint(`${verbOf(statements)} @ ${point}`),
    });
    const outcome = await playWholeRun(quiet, kernel, runMsMax);
    const { violations } = await checkInvariants(quiet.db.pool);
    return { outcome, violations };
  } finally {
    await quiet.close();
  }
}

function verbOf(statements: readonly string[]): string {
  const [, verb] = VERBS.find(([statement]) => statements.includes(statement)) ?? [];
  if (verb === "delegate" && statements.includes("head_lock")) return "reuse";
  return verb ?? statements[0] ?? "nothing";
}
