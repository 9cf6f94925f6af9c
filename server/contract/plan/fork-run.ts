// What a fork of a plan run runs and what it takes as recorded, with the reason of each: it is shown before the launch, so that
// nothing is reused silently. Pure: what needs rows comes in as answers.
import { sameJson } from "../same-json";
import { graphOf, type PlanGraph } from "./graph";
import type { Fork, Plan, PlanNode, Rider } from "./plan";
import { isTaskPlace, nameOf, nodeIdOf } from "./plan-words";
import type { PlanProblem } from "./problem";

export type ForkedPlace = {
  /** A node, or fork.task where only some tasks of a fork run. */
  place: string;
  verdict: "runs" | "replayed";
  reason: string;
};

/** Why a place runs that was named in `force`. */
export const ASKED_FOR = "you asked for it";

export type ForkPlanCheck = { ok: boolean; problems: PlanProblem[]; places: ForkedPlace[] };

export type ForkRun = {
  /** As the source ran it, and as the fork will. */
  before: Plan;
  after: Plan;
  /** Nodes and tasks that run although nothing changed. */
  force: ReadonlySet<string>;
  /** What the rows say against taking the result of a wagon, an ask or a task; null = nothing. */
  against: (place: string) => string | null;
  /** "run 118" */
  source: string;
};

/** By node; of a fork by task too. In starting order. */
export function decideFork(input: ForkRun): ForkedPlace[] {
  const reasons = new Map<string, string>();
  // What goes on with the agent of another wagon needs that agent as it was then: the other runs too, and what follows it.
  for (let rounds = 0; rounds <= input.after.nodes.length; rounds++) {
    const before = reasons.size;
    pass(input, reasons);
    withAgents(input, reasons);
    if (reasons.size === before) break;
  }
  return graphOf(input.after).nodes.flatMap((node) => placesOf(input, node, reasons));
}

function pass(input: ForkRun, reasons: Map<string, string>): void {
  const graph = graphOf(input.after);
  const graphBefore = graphOf(input.before);
  const before = new Map(input.before.nodes.map((node) => [node.id, node]));
  const note = (place: string, reason: string | null) => {
    if (reason !== null && !reasons.has(place)) reasons.set(place, reason);
  };
  for (const node of graph.nodes) {
    const old = before.get(node.id);
    note(node.id, input.force.has(node.id) ? ASKED_FOR : null);
    note(node.id, old && !old.disabled ? changed(old, node) : `it was not in ${input.source}`);
    if (old && !sameJson(givenBy(graphBefore, old), givenBy(graph, node)))
      note(node.id, "something that it waits for was switched on or off");
    const waited = (graph.into.get(node.id) ?? []).map(({ from }) => from);
    const rerun = waited.find((from) => runsAt(input.after, reasons, from));
    note(node.id, rerun === undefined ? null : `${rerun} runs again`);
    if (node.kind !== "fork") {
      note(node.id, input.against(node.id));
      continue;
    }
    for (const task of node.tasks) {
      const place = `${node.id}.${task.id}`;
      note(place, input.force.has(place) ? ASKED_FOR : null);
      note(place, old?.kind === "fork" ? changedTask(old, task) : null);
      note(place, reasons.get(node.id) ?? input.against(place));
    }
  }
}

/** A fork runs where one of its tasks does. */
function runsAt(plan: Plan, reasons: ReadonlyMap<string, string>, place: string): boolean {
  if (reasons.has(place) || reasons.has(nodeIdOf(place))) return true;
  const node = plan.nodes.find(({ id }) => id === place);
  return node?.kind === "fork" && node.tasks.some(({ id }) => reasons.has(`${place}.${id}`));
}

function withAgents({ after }: ForkRun, reasons: Map<string, string>): void {
  const riders = after.nodes.flatMap((node) =>
    node.kind === "fork"
      ? node.tasks.map((rider): [string, Rider] => [`${node.id}.${rider.id}`, rider])
      : [[node.id, node] as [string, Rider]],
  );
  for (const [place, { target }] of riders) {
    if (!target || target.strategy === "new" || !target.ref.startsWith("@")) continue;
    const source = target.ref.slice(1);
    if (runsAt(after, reasons, place) && !reasons.has(source)) reasons.set(source, `${place} goes on with its agent`);
  }
}

/** What the result does not depend on: a title, and whether a person was asked. */
const asItRan = (node: PlanNode): object => ({ ...node, title: "", hold: false });

/** Null = what has been recorded of it is still the result of what it is. */
export function changed(old: PlanNode, node: PlanNode): string | null {
  const own = (one: PlanNode): object => (one.kind === "fork" ? { ...asItRan(one), tasks: [] } : asItRan(one));
  if (!sameJson(own(old), own(node))) return "it was changed";
  if (old.kind !== "fork" || node.kind !== "fork") return null;
  const [was, now] = [old.tasks, node.tasks].map((tasks) => tasks.map(({ id }) => id));
  if (was?.some((id) => !now?.includes(id))) return "a task was taken away";
  // Recorded results are known by their place in the fork.
  return sameJson(
    was,
    now?.filter((id) => was?.includes(id)),
  )
    ? null
    : "its tasks stand in another order";
}

/** What it starts after and what it is given of others, as the plan as a whole says it: a node between may have been switched off. */
function givenBy(graph: PlanGraph, node: PlanNode): object {
  const tracks = (graph.into.get(node.id) ?? []).map(({ from, on }) => `${from} ${on}`).sort();
  const riders = node.kind === "fork" ? node.tasks : [];
  const loads = [...node.load, ...riders.flatMap(({ load }) => load)].flatMap((entry) =>
    "from" in entry ? [graph.byId.has(nodeIdOf(entry.from))] : [],
  );
  return { tracks, loads };
}

function changedTask(old: Fork, task: Fork["tasks"][number]): string | null {
  const was = old.tasks.find(({ id }) => id === task.id);
  if (!was) return "it is new";
  return sameJson({ ...was, title: "" }, { ...task, title: "" }) ? null : "it was changed";
}

function placesOf({ source }: ForkRun, node: PlanNode, reasons: ReadonlyMap<string, string>): ForkedPlace[] {
  const own = reasons.get(node.id);
  const asRecorded = { verdict: "replayed" as const, reason: `as in ${source}` };
  if (node.kind !== "fork")
    return [own === undefined ? { place: node.id, ...asRecorded } : { place: node.id, verdict: "runs", reason: own }];
  const tasks = node.tasks.map((task): ForkedPlace => {
    const place = `${node.id}.${task.id}`;
    const reason = reasons.get(place);
    return reason === undefined ? { place, ...asRecorded } : { place, verdict: "runs", reason };
  });
  const running = tasks.filter(({ verdict }) => verdict === "runs");
  if (running.length === 0 && own === undefined) return [{ place: node.id, ...asRecorded }];
  const names = node.tasks.filter((_, i) => tasks[i]?.verdict === "runs").map(nameOf);
  const reason =
    own ?? (names.length === 1 ? `${names[0]} runs again` : `${names.length} of ${tasks.length} tasks run again`);
  return [{ place: node.id, verdict: "runs", reason }, ...tasks];
}

/** Of a fork of which some tasks run, those that are replayed. */
export const replayedTasks = (places: readonly ForkedPlace[], forkId: string): string[] =>
  places.flatMap(({ place, verdict }) =>
    isTaskPlace(place) && nodeIdOf(place) === forkId && verdict === "replayed" ? [place.slice(forkId.length + 1)] : [],
  );
