// One run that uses every verb is played once to learn which points its units pass, and then once more for each point, with
// the unit failing there: before the commit nothing of it remains, after the commit its answer and its follow-ups are
// lost, as when a process dies. It must reach the same end every time.
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
  ["report_turn", "report"],
  // Before it, for the end of a batch may resume the turn that waits for it.
  ["batch_end", "join"],
  ["resume_turn", "resume"],
  ["turns_started", "start"],
  ["inbox_claim_around", "claim"],
  ["inbox_claim_named", "claim"],
  ["work_take", "take"],
  ["reclaim_is_silent", "take over"],
  ["reclaim_unstarted", "requeue"],
  ["expire_still", "tool timeout"],
  ["human_request_turn", "decide"],
  ["human_request_open", "ask a person"],
  ["dispatch_failed", "dispatch failed"],
  ["dispatch_lock", "dispatch"],
  ["turn_beat", "heartbeat"],
  ["step_begin", "begin step"],
  // Listed before `waits_of_turn`: a fork may suspend its caller too.
  ["fork_before", "fork"],
  ["waits_of_turn", "suspend"],
  ["delegate_replay", "delegate"],
  ["wait_insert", "external call"],
  ["batch_lock", "settle"],
  ["step_end", "end step"],
  ["turn_grow", "append"],
  ["turns_lock_ending", "deliver"],
  ["turns_late", "late write"],
];

const GENERIC = ["before-commit", "after-commit"];
/** Not among the collected points = the run does not use that verb any more, or the point is gone. */
const EXPECTED: [verb: string, points: string[]][] = [
  ["launch", ["after-enqueue"]],
  ["take", ["after-take"]],
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
  ["ask a person", []],
  ["decide", ["before-decide", "before-expire"]],
  ["resume", ["before-apply"]],
  ["dispatch", ["before-dispatch", "after-enqueue"]],
  ["settle", ["settle-locked"]],
  ["join", ["before-apply"]],
  ["deliver", ["before-end", "settle-locked", "batch-before-end"]],
  ["stop", ["stop-locked", "before-end"]],
  ["take over", ["before-take-over"]],
  ["heartbeat", []],
];

// Of the watchdog's own housekeeping, where nothing hangs on one pass; and whether the worker that has been silent writes
// once more before it learns that it lost its turn is a matter of who was quicker.
const BY_CHANCE =
  /^(cards_index(_some)?|inbox_release|grown_tables|journal_drop|reclaim_\w+|requeue|worker_\w+|late write) @/;

// Points far apart fail in one run, which halves the time and is harder on the run; where that goes wrong, each is tried
// by itself, to name the culprit. FAULTS_ALONE=1 tries each by itself from the start.
const faultsInRun = process.env.FAULTS_ALONE ? 1 : 3;
const runsAtOnce = 5;
const runMsMax = 60_000;

test("a run comes to the same end wherever one of its units fails", async () => {
  const points = new Set<string>();
  const base = await play((point) => points.add(point));
  expect(base.violations).toEqual([]);
  const expected = EXPECTED.flatMap(([verb, own]) => [...GENERIC, ...own].map((point) => `${verb} @ ${point}`));
  expect(expected.filter((point) => !points.has(point))).toEqual([]);

  const plan = [...points].filter((point) => !BY_CHANCE.test(point)).sort();
  const apart = Math.ceil(plan.length / faultsInRun);
  const groups = Array.from({ length: apart }, (_, i) => plan.filter((_point, n) => n % apart === i));
  const started = Date.now();
  const failed = (await playAll(groups, base.outcome)).filter((run) => run.fault !== null);
  const again = failed.flatMap((run) => (run.points.length > 1 ? run.points.map((point) => [point]) : []));
  const alone = (await playAll(again, base.outcome)).filter((run) => run.fault !== null);
  console.log(`${plan.length} points, ${Math.round((Date.now() - started) / 1000)} s:\n${plan.join("\n")}`);
  expect([...failed, ...alone].map(({ points, fault }) => `${points.join(" + ")}: ${fault}`)).toEqual([]);
}, 240_000);

type Run = { points: string[] /** Null, or what was wrong. */; fault: string | null };

async function playAll(groups: string[][], expected: Outcome): Promise<Run[]> {
  const left = [...groups];
  const runs: Run[] = [];
  await Promise.all(
    Array.from({ length: runsAtOnce }, async () => {
      for (let group = left.shift(); group !== undefined; group = left.shift())
        runs.push({ points: group, fault: await playWithFaults(group, expected) });
    }),
  );
  return runs;
}

async function playWithFaults(points: string[], expected: Outcome): Promise<string | null> {
  const left = new Set(points);
  try {
    const { outcome, violations } = await play((point) => {
      if (left.delete(point)) throw new KernelError("storage_error", `the database went away at ${point}`);
    });
    expect(violations).toEqual([]);
    expect(outcome).toEqual(expected);
    return left.size === 0 ? null : `${[...left].join(" and ")} was not passed`;
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
