// The graph that a plan draws: which tracks lead into a node, in which order nodes may start, which end it. Nodes that are
// switched off count as absent: what they waited for, their followers wait for.
import type { After, Load, Plan, PlanNode } from "./plan";
import { nodeIdOf } from "./plan-words";

/** Everything a node loads: a fork's own entries, then those of its tasks. */
export const loadsOf = (node: PlanNode): Load[] =>
  node.kind === "fork" ? [...node.load, ...node.tasks.flatMap((task) => task.load)] : node.load;

/** Tracks as drawn: those written, and one for each result that is loaded without a written one. */
export function drawnTracks(node: PlanNode): After[] {
  const places = loadsOf(node).flatMap((entry) => ("from" in entry ? entry.from : []));
  const implied = [...new Set(places)].filter((place) => !node.after.some((after) => after.node === place));
  return [...node.after, ...implied.map((place): After => ({ node: place, on: "delivered" }))];
}

export type PlanGraph = {
  /** By node id. A place may be `fork.task`. Nodes that are switched off have none. */
  tracks: ReadonlyMap<string, readonly After[]>;
  /** Ids of nodes that are on, in the order in which they may start; nodes of a circle come last, as written. */
  order: readonly string[];
  /** Nodes that nothing waits for. */
  last: readonly string[];
  /** Nodes that wait for each other, directly or not. */
  circle: readonly string[];
};

export function graphOf(plan: Pick<Plan, "nodes">): PlanGraph {
  const byId = new Map(plan.nodes.map((node) => [node.id, node]));
  const on = plan.nodes.filter((node) => !node.disabled);
  const tracks = new Map(on.map((node) => [node.id, throughDisabled(drawnTracks(node), byId)]));
  const { order, circle } = sorted(
    on.map(({ id }) => id),
    tracks,
  );
  const waitedFor = new Set([...tracks.values()].flat().map((after) => nodeIdOf(after.node)));
  return { tracks, order, circle, last: order.filter((id) => !waitedFor.has(id)) };
}

/** In the order in which their turns may start: nodes, and the tasks of forks as `fork.task`. */
export function startingOrder(plan: Pick<Plan, "nodes">): string[] {
  const byId = new Map(plan.nodes.map((node) => [node.id, node]));
  return graphOf(plan).order.flatMap((id) => {
    const node = byId.get(id);
    return node?.kind === "fork" ? node.tasks.map((task) => `${id}.${task.id}`) : [id];
  });
}

/** What a node that is switched off waited for stands in its place. */
function throughDisabled(tracks: readonly After[], byId: ReadonlyMap<string, PlanNode>): After[] {
  const found = new Map<string, After>();
  const passed = new Set<string>();
  const add = (after: After): void => {
    const source = byId.get(nodeIdOf(after.node));
    if (source === undefined) return;
    if (!source.disabled) {
      found.set(`${after.node} ${after.on}`, after);
      return;
    }
    if (passed.has(source.id)) return;
    passed.add(source.id);
    for (const before of drawnTracks(source)) add(before);
  };
  for (const after of tracks) add(after);
  return [...found.values()];
}

/** Of those that may start, the one written first. */
function sorted(ids: readonly string[], tracks: ReadonlyMap<string, readonly After[]>) {
  const left = new Map(ids.map((id) => [id, new Set((tracks.get(id) ?? []).map((after) => nodeIdOf(after.node)))]));
  const followers = new Map<string, string[]>();
  for (const [id, sources] of left)
    for (const source of sources) followers.set(source, [...(followers.get(source) ?? []), id]);
  const place = new Map(ids.map((id, i) => [id, i]));
  const free = ids.filter((id) => left.get(id)?.size === 0);
  const order: string[] = [];
  for (let id = free.shift(); id !== undefined; id = free.shift()) {
    order.push(id);
    for (const follower of followers.get(id) ?? []) {
      const sources = left.get(follower);
      sources?.delete(id);
      if (sources?.size !== 0) continue;
      const at = free.findIndex((other) => (place.get(other) ?? 0) > (place.get(follower) ?? 0));
      free.splice(at < 0 ? free.length : at, 0, follower);
    }
  }
  const done = new Set(order);
  const stuck = ids.filter((id) => !done.has(id));
  return { order: [...order, ...stuck], circle: stuck };
}
