// The pure part of a plan: its check, its text for the hash, and the next act of its run: `npx tsx bench/plan.ts`. No database.
import { canonicalPlan } from "@/server/contract/plan/canonical";
import { checkGraph } from "@/server/contract/plan/check-graph";
import { decidePlan } from "@/server/contract/plan/decide-plan";
import type { NodeState } from "@/server/contract/plan/node-end";
import type { Plan } from "@/server/contract/plan/plan";
import { fork, planOf, wagon } from "@/server/testing/plans";
import { spread } from "./bench-kernel";

const ROUNDS = 200;
const ids = (count: number) => Array.from({ length: count }, (_, i) => i);
const from = (...nodes: number[]) => nodes.filter((i) => i >= 0).map((i) => ({ from: `w${i}` }));

/** Two tracks into each wagon, an instruction of 400 characters that uses an input. */
const line = (count: number) =>
  planOf(
    ids(count).map((i) => wagon(`w${i}`, { load: from(i - 1, i - 3), instruction: `${"read ".repeat(80)}{input.q}` })),
    { inputs: [{ name: "q", kind: "text" }] },
  );
const lanes = planOf([
  wagon("w0"),
  ...ids(4).map((k) =>
    fork(
      `f${k}`,
      ids(64).map((i) => wagon(`t${i}`, { load: from(0) })),
    ),
  ),
  wagon("end", { load: ids(4).map((k) => ({ from: `f${k}` })) }),
]);
const ring = planOf(ids(300).map((i) => wagon(`w${i}`, { load: from((i + 299) % 300, (i + 150) % 300) })));

function halfway({ nodes }: Plan): Map<string, NodeState> {
  const row = {
    next_retry_at: null,
    is_released: false,
    passes_limit: false,
    skipped_by: null,
    headcodes: [],
    batch_status: null,
    tasks: [],
  };
  return new Map(
    nodes.map(({ id }, i) => [
      id,
      { ...row, status: i < nodes.length / 2 ? ("success" as const) : ("waiting" as const) },
    ]),
  );
}

function measure(what: string, work: () => unknown): void {
  const times: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const start = performance.now();
    work();
    times.push(performance.now() - start);
  }
  const { p50, p99 } = spread(times);
  console.log(`${what}: p50 ${p50} ms, p99 ${p99} ms`);
}

const check = (plan: Plan) => checkGraph(plan, { fork_tasks_max: 64 });
for (const count of [3, 30, 300]) {
  const plan = line(count);
  const run = {
    plan,
    nodes: halfway(plan),
    limit: null,
    is_stepped: false,
    is_overdue: false,
    now: "2026-01-01T00:00:00Z",
  };
  measure(`check of ${count} wagons`, () => check(plan));
  measure(`canonical text of ${count} wagons`, () => canonicalPlan(plan));
  measure(`next act among ${count} wagons`, () => decidePlan(run));
}
measure("check of 4 forks of 64 tasks", () => check(lanes));
measure("check of 300 wagons in a circle", () => check(ring));
