// Whole runs of random plans, against an interpreter that knows nothing of graphs, rows or acts: it says from the ends that the
// wagons will have what becomes of each node, however the acts and the ends interleave.
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyPlan, planOf } from "@/server/testing/plans";
import { aggregate } from "../aggregate";
import type { EndStatus } from "../turn";
import { checkGraph, isRefused } from "./check-graph";
import { type DecidePlan, decidePlan } from "./decide-plan";
import { followersToReopen } from "./followers-to-reopen";
import type { NodeState } from "./node-end";
import type { Load, Plan, PlanNode } from "./plan";

type End = EndStatus | "skipped";
/** What will come of a node when it starts, and what a person says when it is held. */
type Script = { end: EndStatus; tasks: EndStatus[]; isRefused: boolean; faults: number; isPassed: boolean };
type Scripts = ReadonlyMap<string, Script>;

// ---- The naive interpreter

/** Places and conditions that a node waits for, those of nodes that are off put in their place. */
function naiveWaits(plan: Plan, node: PlanNode, through: readonly string[] = []): [string, string][] {
  const loads: Load[] = node.kind === "fork" ? [...node.load, ...node.tasks.flatMap(({ load }) => load)] : node.load;
  const sources = loads.flatMap((load) => ("from" in load ? [load.from] : []));
  const drawn: [string, string][] = node.after.map(({ node: from, on }) => [from, on]);
  for (const from of sources) if (!node.after.some((after) => after.node === from)) drawn.push([from, "delivered"]);
  return drawn.flatMap(([from, on]): [string, string][] => {
    const source = plan.nodes.find(({ id }) => id === from.split(".")[0]);
    if (!source || through.includes(source.id)) return [];
    return source.disabled ? naiveWaits(plan, source, [...through, source.id]) : [[from, on]];
  });
}

const yes: Record<string, string[]> = {
  delivered: ["success", "partial"],
  success: ["success"],
  failed: ["failed", "timeout", "canceled"],
  ended: ["success", "partial", "failed", "timeout", "canceled", "skipped"],
};

type World = { plan: Plan; scripts: Scripts; is_stepped: boolean; known: Map<string, End | "unknown"> };

/** unknown = it hangs on a node that is tried again. */
function fate(world: World, place: string): End | "unknown" {
  const [id = "", task] = place.split(".");
  const { plan, scripts, is_stepped, known } = world;
  const given = known.get(place) ?? (task ? known.get(id) : undefined);
  if (given !== undefined && !(task && given !== "skipped" && known.get(place) === undefined)) return given;
  const node = plan.nodes.find((one) => one.id === id);
  const script = scripts.get(id);
  if (!node || !script) throw new Error(`nothing is known of ${place}`);
  if (node.disabled) return "skipped";
  let isUnknown = given === "unknown";
  for (const [from, on] of given === undefined ? naiveWaits(plan, node) : []) {
    const end = fate(world, from);
    if (end === "unknown") isUnknown = true;
    else if (!yes[on]?.includes(end)) return "skipped";
  }
  if (isUnknown) return "unknown";
  if ((node.hold || is_stepped) && !script.isPassed && given === undefined) return "skipped";
  if (script.isRefused) return "failed";
  if (task === undefined || node.kind !== "fork") return script.end;
  return script.tasks[node.tasks.findIndex((one) => one.id === task)] ?? script.end;
}

const naiveStatus = (world: World): string => {
  const on = world.plan.nodes.filter(({ disabled }) => !disabled);
  const named = on.filter(({ id }) => id === world.plan.result);
  const isFollowed = (id: string) =>
    on.some((node) =>
      naiveWaits(world.plan, node).some(([from, when]) => from.split(".")[0] === id && when !== "failed"),
    );
  const last = named.length > 0 ? named : on.filter(({ id }) => !isFollowed(id));
  const ends = last
    .map(({ id }) => fate(world, id))
    .filter((end): end is EndStatus => end !== "skipped" && end !== "unknown");
  if (ends.length === 0) return "failed";
  return last.length === 1 ? `${ends[0]}` : aggregate(ends);
};

// ---- The kernel, as rows and acts

type Driver = { rows: Map<string, NodeState>; now: number; starts: Map<string, number>; limit: string | null };
type Coin = (sides: number) => number;

const fresh = (): NodeState => ({
  status: "waiting",
  next_retry_at: null,
  is_released: false,
  passes_limit: false,
  skipped_by: null,
  headcodes: [],
  batch_status: null,
  tasks: [],
});
const rowOf = ({ rows }: Driver, id: string): NodeState => rows.get(id) ?? fresh();
const change = (driver: Driver, id: string, more: Partial<NodeState>) =>
  driver.rows.set(id, { ...rowOf(driver, id), ...more });

/** Every end that a node waits for is in the rows before it starts (K20). Written without the decision's own reading of them. */
function expectReady(plan: Plan, driver: Driver, id: string): void {
  const node = plan.nodes.find((one) => one.id === id);
  for (const [from, on] of node ? naiveWaits(plan, node) : []) {
    const [source = "", task] = from.split(".");
    const row = rowOf(driver, source);
    const fork = plan.nodes.find((one) => one.id === source);
    const index = fork?.kind === "fork" ? fork.tasks.findIndex((one) => one.id === task) : -1;
    expect(yes[on], `${id} starts, and waits for ${from} to have ${on}`).toContain(row.tasks[index] ?? row.status);
  }
}

/** To the end of the run; the acts in the order in which they were done. */
function drive(world: World, driver: Driver, coin: Coin): string {
  const { plan, scripts, is_stepped } = world;
  for (let acts = 0; acts < 40 * (plan.nodes.length + 1); acts++) {
    const input: DecidePlan = {
      plan,
      nodes: driver.rows,
      limit: () => driver.limit,
      is_stepped,
      is_overdue: false,
      now: new Date(driver.now).toISOString(),
    };
    const act = decidePlan(input);
    if (coin(8) === 0) expect(decidePlan(input)).toEqual(act);
    if (act.act === "end") return act.status;
    if (act.act === "timeout") throw new Error("there is no deadline");
    if (act.act === "wait") {
      happen(world, driver, coin, act.until);
      continue;
    }
    const row = rowOf(driver, act.node_id);
    if (act.act === "adopt") {
      expect(row.status).toBe("running");
      change(driver, act.node_id, { status: act.status });
    } else {
      expect(["waiting", "held"]).toContain(row.status);
      if (act.act === "skip") change(driver, act.node_id, { status: "skipped", reason: act.reason });
      if (act.act === "hold") {
        // Whoever let it pass is asked again only about a limit that they were not told of.
        if (row.is_released) expect([row.passes_limit, act.cause]).toEqual([false, "limit"]);
        change(driver, act.node_id, { status: "held", reason: act.reason, is_released: false });
      }
      if (act.act === "start") begin(plan, driver, act.node_id, scripts.get(act.node_id));
    }
    // Ends come at any time, not only when nothing else is to be done.
    if (coin(3) === 0) happen(world, driver, coin, null);
  }
  throw new Error("the run did not end");
}

function begin(plan: Plan, driver: Driver, id: string, script: Script | undefined): void {
  expectReady(plan, driver, id);
  const starts = (driver.starts.get(id) ?? 0) + 1;
  driver.starts.set(id, starts);
  const node = plan.nodes.find((one) => one.id === id);
  if (script && starts <= script.faults) {
    const next_retry_at = new Date(driver.now + 2_000 * starts).toISOString();
    change(driver, id, { status: "waiting", is_released: true, next_retry_at });
  } else if (script?.isRefused) change(driver, id, { status: "failed" });
  else
    change(driver, id, {
      status: "running",
      batch_status: "running",
      tasks: node?.kind === "fork" ? node.tasks.map(() => "dispatched" as const) : ["dispatched"],
    });
}

/** One thing from outside, if there is one: an end, a person's decision, a limit that is reached or raised, the clock. */
function happen({ plan, scripts }: World, driver: Driver, coin: Coin, until: string | null): void {
  const events: (() => void)[] = [];
  for (const { id, kind } of plan.nodes) {
    const [row, script] = [rowOf(driver, id), scripts.get(id)];
    if (!script) continue;
    if (row.status === "held") {
      const isRoom = row.reason?.startsWith("turns_max");
      const passes_limit = row.reason?.includes("turns_max") ?? false;
      events.push(() =>
        isRoom || script.isPassed
          ? change(driver, id, { passes_limit, is_released: true, ...(coin(2) === 0 && { status: "waiting" }) })
          : change(driver, id, { skipped_by: "ada" }),
      );
    }
    if (row.status !== "running" || row.batch_status !== "running") continue;
    const open = row.tasks.flatMap((status, i) => (status === "dispatched" || status === "pending" ? [i] : []));
    if (kind === "fork" && open.length > 0)
      for (const i of open)
        events.push(() =>
          change(driver, id, {
            tasks: row.tasks.map((status, j) => (i === j ? (script.tasks[i] ?? script.end) : status)),
          }),
        );
    else
      events.push(() =>
        change(driver, id, { batch_status: script.end, tasks: kind === "fork" ? row.tasks : [script.end] }),
      );
  }
  const event = events[coin(events.length)];
  if (event) event();
  else if (until !== null) driver.now = Date.parse(until);
  if (coin(8) === 0) driver.limit = driver.limit === null ? "turns_max 1 reached: 1 turn" : null;
}

// ---- The properties

const anyEnd = fc.constantFrom<EndStatus>("success", "success", "success", "partial", "failed", "timeout", "canceled");
const anyScript: fc.Arbitrary<Script> = fc.record({
  end: anyEnd,
  tasks: fc.array(anyEnd, { minLength: 3, maxLength: 3 }),
  isRefused: fc.nat({ max: 9 }).map((n) => n === 0),
  faults: fc.nat({ max: 9 }).map((n) => Math.max(0, n - 7)),
  isPassed: fc.nat({ max: 3 }).map((n) => n > 0),
});
const anyRun = fc.record({
  plan: anyPlan,
  scripts: fc.array(anyScript, { minLength: 8, maxLength: 8 }),
  again: anyScript,
  is_stepped: fc.nat({ max: 5 }).map((n) => n === 0),
  coins: fc.infiniteStream(fc.nat({ max: 0xffff })),
});

const coinOf =
  (stream: Iterator<number>): Coin =>
  (sides) =>
    sides === 0 ? 0 : (stream.next().value ?? 0) % sides;

function begun({ plan, scripts, is_stepped }: { plan: Plan; scripts: Script[]; is_stepped: boolean }) {
  const byId = new Map(plan.nodes.map(({ id }, i) => [id, scripts[i] ?? scripts[0]] as const));
  const known = new Map([...byId].flatMap(([id, script]) => (script ? [[id, script] as const] : [])));
  const world: World = { plan, scripts: known, is_stepped, known: new Map() };
  const driver: Driver = {
    rows: new Map(plan.nodes.map(({ id }) => [id, fresh()])),
    now: Date.parse("2026-01-01T00:00:00Z"),
    starts: new Map(),
    limit: null,
  };
  return { world, driver };
}

const isAccepted = (plan: Plan): boolean => !isRefused(checkGraph(plan, { fork_tasks_max: 64 }));
const finals = (driver: Driver) => Object.fromEntries([...driver.rows].map(([id, { status }]) => [id, status]));
const fates = (world: World) => Object.fromEntries(world.plan.nodes.map(({ id }) => [id, fate(world, id)]));

test("a plan that is not refused comes to the end that its wagons' ends make, in whatever order they come", () => {
  fc.assert(
    fc.property(anyRun, (given) => {
      fc.pre(isAccepted(given.plan));
      const { world, driver } = begun(given);
      const status = drive(world, driver, coinOf(given.coins));
      expect(finals(driver)).toEqual(fates(world));
      expect(status).toBe(naiveStatus(world));
      for (const [id, starts] of driver.starts)
        expect(starts).toBeLessThanOrEqual((world.scripts.get(id)?.faults ?? 0) + 1);
    }),
    { numRuns: 150 },
  );
});

test("a retry brings back exactly those that nothing else would skip, and the run ends again", () => {
  fc.assert(
    fc.property(anyRun, fc.nat(), (given, pick) => {
      fc.pre(isAccepted(given.plan));
      const { world, driver } = begun(given);
      drive(world, driver, coinOf(given.coins));
      const tried = [...driver.rows].filter(([, { status }]) => ["failed", "timeout", "canceled"].includes(status));
      const [id] = tried[pick % Math.max(1, tried.length)] ?? [];
      fc.pre(id !== undefined);
      if (id === undefined) return;

      // What ran stays, what a person skipped stays, and of a fork what its tasks delivered.
      const node = world.plan.nodes.find((one) => one.id === id);
      const before = driver.rows.get(id) ?? fresh();
      const kept = before.tasks.map((end) => end === "success" || end === "partial");
      const known: World["known"] = new Map([[id, "unknown"]]);
      for (const [other, row] of driver.rows) {
        const isPersons = row.status === "skipped" && row.reason?.startsWith("skipped by ");
        if (other !== id && (row.status !== "skipped" || isPersons)) known.set(other, row.status as End);
        const fork = world.plan.nodes.find((one) => one.id === other);
        for (const [i, task] of (fork?.kind === "fork" ? fork.tasks : []).entries()) {
          const end = row.tasks[i] ?? row.status;
          if (other === id) known.set(`${other}.${task.id}`, kept[i] ? (end as End) : "unknown");
          else if (known.has(other)) known.set(`${other}.${task.id}`, end as End);
        }
      }
      const skipped = [...driver.rows].filter(([, { status }]) => status === "skipped").map(([one]) => one);
      const back = skipped.filter((one) => fate({ ...world, known }, one) === "unknown");
      const reopened = followersToReopen({ plan: world.plan, nodes: driver.rows }, id);
      expect([...reopened].sort()).toEqual([...back].sort());

      for (const one of reopened) driver.rows.set(one, fresh());
      driver.rows.set(id, { ...fresh(), is_released: true });
      driver.starts.clear();
      const tasks = given.again.tasks.map((end, i) => (kept[i] ? (before.tasks[i] as EndStatus) : end));
      const scripts = new Map(world.scripts).set(id, { ...given.again, tasks, isRefused: false });
      known.delete(id);
      for (const task of node?.kind === "fork" ? node.tasks : []) known.delete(`${id}.${task.id}`);
      known.set(id, given.again.end);
      const [after, later] = [
        { ...world, scripts },
        { ...world, scripts, known },
      ];
      drive(after, driver, coinOf(given.coins));
      for (const one of reopened) expect(finals(driver)[one], one).toBe(fate(later, one));
      const others = skipped.filter((one) => !reopened.includes(one));
      for (const one of others) expect(finals(driver)[one]).toBe("skipped");
    }),
    { numRuns: 150 },
  );
});

test("a run of any plan ends, also of one that waits for itself", () => {
  fc.assert(
    fc.property(anyRun, (given) => {
      const { world, driver } = begun(given);
      drive(world, driver, coinOf(given.coins));
      for (const { status } of driver.rows.values()) expect(["waiting", "held", "running"]).not.toContain(status);
    }),
    { numRuns: 100 },
  );
});

test("a deadline ends every run that has not ended by itself", () => {
  fc.assert(
    fc.property(anyRun, fc.nat({ max: 30 }), (given, acts) => {
      const { world, driver } = begun(given);
      for (let i = 0; i < acts; i++) happen(world, driver, coinOf(given.coins), null);
      for (let i = 0; i <= given.plan.nodes.length; i++) {
        const base = {
          plan: given.plan,
          nodes: driver.rows,
          limit: null,
          is_stepped: false,
          now: "2026-01-01T00:00:00Z",
        };
        const act = decidePlan({ ...base, is_overdue: true });
        if (act.act !== "adopt") {
          expect(act).toEqual({ act: "timeout" });
          return;
        }
        change(driver, act.node_id, { status: act.status });
      }
      throw new Error("it adopts without end");
    }),
  );
});

test("an empty plan ends at once", () => {
  const plan = planOf([]);
  const base = {
    plan,
    nodes: new Map(),
    limit: null,
    is_stepped: false,
    is_overdue: true,
    now: "2026-01-01T00:00:00Z",
  };
  expect(decidePlan(base)).toEqual({ act: "end", status: "failed" });
});
