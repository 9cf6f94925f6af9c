// The graph of a plan, for the check and for the kernel that runs it: who waits for whom, in which order wagons start, and
// whose end is the end of the run.
import type { Plan, PlanNode, PlanTask } from "./plan";
import { nameOf, nodeIdOf } from "./plan-words";
import { startingOrder } from "./starting-order";
import { type Track, tracksOf } from "./tracks";

export type PlanGraph = {
  /** Nodes that are switched on, in starting order: what a node waits for comes before it, otherwise as written. */
  nodes: readonly PlanNode[];
  byId: ReadonlyMap<string, PlanNode>;
  /** What each of them waits for. */
  into: ReadonlyMap<string, readonly Track[]>;
  followers: ReadonlyMap<string, readonly string[]>;
  /** Ids of the nodes whose ends make the status of the run: the result, else the last ones. */
  results: readonly string[];
};

/** Found once for each list of nodes: layout, check and drawing of one plan all ask for it, and a list never changes. */
export function graphOf(plan: Pick<Plan, "nodes" | "result">): PlanGraph {
  const known = found.get(plan.nodes);
  if (known && known.result === plan.result) return known.graph;
  const graph = foundGraph(plan);
  found.set(plan.nodes, { result: plan.result, graph });
  return graph;
}

const found = new WeakMap<readonly PlanNode[], { result: string | undefined; graph: PlanGraph }>();

function foundGraph(plan: Pick<Plan, "nodes" | "result">): PlanGraph {
  const into = tracksOf(plan);
  const on = plan.nodes.filter(({ disabled }) => !disabled);
  const followers = new Map<string, string[]>(on.map(({ id }) => [id, []]));
  for (const [id, tracks] of into)
    for (const from of new Set(tracks.map((track) => nodeIdOf(track.from)))) followers.get(from)?.push(id);
  const nodes = startingOrder(on, into, followers);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const results = plan.result !== undefined && byId.has(plan.result) ? [plan.result] : lastOf(nodes, into);
  return { nodes, byId, into, followers, results };
}

/** Nobody waits for it, or only those who wait for it to fail: they are skipped when all goes well. */
function lastOf(nodes: readonly PlanNode[], into: PlanGraph["into"]): string[] {
  const followed = new Set(
    [...into.values()].flatMap((tracks) =>
      tracks.filter(({ on }) => on !== "failed").map(({ from }) => nodeIdOf(from)),
    ),
  );
  return nodes.filter(({ id }) => !followed.has(id)).map(({ id }) => id);
}

/** Every wagon that starts, in starting order; those of a fork in task order. */
export const placesInOrder = ({ nodes }: Pick<PlanGraph, "nodes">): string[] =>
  nodes.flatMap((node) => (node.kind === "fork" ? node.tasks.map(({ id }) => `${node.id}.${id}`) : [node.id]));

export type Parts = ReadonlyMap<string, PlanNode | PlanTask>;

/** The node or task at a place. Found once for each list of nodes: each wagon that is drawn asks several times. */
export function partsOf({ nodes }: Pick<Plan, "nodes">): Parts {
  const known = foundParts.get(nodes);
  if (known) return known;
  const parts = listedParts(nodes);
  foundParts.set(nodes, parts);
  return parts;
}

const foundParts = new WeakMap<readonly PlanNode[], Parts>();

function listedParts(nodes: readonly PlanNode[]): Parts {
  const parts = new Map<string, PlanNode | PlanTask>();
  for (const node of nodes) {
    parts.set(node.id, node);
    if (node.kind === "fork") for (const task of node.tasks) parts.set(`${node.id}.${task.id}`, task);
  }
  return parts;
}

/** How a message names what is at a place. */
export function nameAt(parts: Parts, place: string): string {
  const part = parts.get(place);
  return part ? nameOf(part) : place;
}
