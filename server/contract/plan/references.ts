// What refers to a node or task by its id: tracks, loads, targets on its agent, `result` and its berth.
import type { PlanOp } from "./op";
import type { After, Load, Plan, PlanNode, PlanTask } from "./plan";

/** The same place, its new name, or null = it is gone. */
export type Renaming = (place: string) => string | null;

/** What refers to nothing that changed keeps its identity. */
export function withReferences(plan: Plan, to: Renaming): Plan {
  const nodes = mapped(plan.nodes, (node) => nodeWith(node, to));
  const places = placesWith(plan.layout.places, to);
  const result = plan.result === undefined ? undefined : to(plan.result);
  const next = { ...plan, nodes };
  if (places !== plan.layout.places) next.layout = { ...plan.layout, places };
  if (result === null) delete next.result;
  else if (result !== undefined) next.result = result;
  return next;
}

/** The operations that bring back what `to` dropped, each at its old place. `plan` is as it was before. */
export function droppedReferences(plan: Plan, to: Renaming): PlanOp[] {
  const ops: PlanOp[] = [];
  for (const node of plan.nodes) {
    if (to(node.id) === null) continue;
    for (const [at, track] of node.after.entries())
      if (to(track.node) === null) ops.push({ op: "add_track", to: node.id, track, at });
    dropLoads(node.load, node.id);
    if (node.kind !== "fork") dropTarget(node, node.id);
    else
      for (const task of node.tasks) {
        const place = `${node.id}.${task.id}`;
        if (to(place) === null) continue;
        dropLoads(task.load, place);
        dropTarget(task, place);
      }
  }
  if (plan.result !== undefined && to(plan.result) === null)
    ops.push({ op: "set", path: "/result", value: plan.result });
  const places = Object.entries(plan.layout.places).filter(([place]) => to(place) === null);
  if (places.length > 0) ops.push({ op: "place", places: Object.fromEntries(places) });
  return ops;

  function dropLoads(list: Load[], place: string): void {
    for (const [at, load] of list.entries())
      if ("from" in load && to(load.from) === null) ops.push({ op: "add_load", to: place, load, at });
  }
  function dropTarget({ target }: Exclude<PlanNode, { kind: "fork" }> | PlanTask, place: string): void {
    const agentOf = agentPlace(target);
    if (target && agentOf !== null && to(agentOf) === null)
      ops.push({ op: "set", node: place, path: "/target", value: target });
  }
}

/** @node = the agent that node ran on. A profile may be called @node too. */
const agentPlace = (target: PlanTask["target"]): string | null =>
  target && target.strategy !== "new" && target.ref.startsWith("@") ? target.ref.slice(1) : null;

export function nodeWith(node: PlanNode, to: Renaming): PlanNode {
  const after = mapped(node.after, (track) => trackWith(track, to));
  const own = after === node.after ? node : { ...node, after };
  if (own.kind !== "fork") return riderWith(own, to);
  const load = mapped(own.load, (entry) => loadWith(entry, to));
  const tasks = mapped(own.tasks, (task) => riderWith(task, to));
  return load === own.load && tasks === own.tasks ? own : { ...own, load, tasks };
}

export function riderWith<T extends Pick<PlanTask, "load" | "target">>(rider: T, to: Renaming): T {
  const load = mapped(rider.load, (entry) => loadWith(entry, to));
  const next = load === rider.load ? rider : { ...rider, load };
  const was = agentPlace(rider.target);
  const now = was === null ? null : to(was);
  if (was === null || was === now) return next;
  const { target, ...others } = next;
  return (now === null ? others : { ...next, target: { ...target, ref: `@${now}` } }) as T;
}

const trackWith = (track: After, to: Renaming): After | null => {
  const node = to(track.node);
  return node === null ? null : node === track.node ? track : { ...track, node };
};

const loadWith = (load: Load, to: Renaming): Load | null => {
  if (!("from" in load)) return load;
  const from = to(load.from);
  return from === null ? null : from === load.from ? load : { ...load, from };
};

function placesWith(places: Plan["layout"]["places"], to: Renaming): Plan["layout"]["places"] {
  if (Object.keys(places).every((place) => to(place) === place)) return places;
  return Object.fromEntries(
    Object.entries(places).flatMap(([place, berth]) => {
      const now = to(place);
      return now === null ? [] : [[now, berth]];
    }),
  );
}

/** The list itself where nothing changed; null leaves an entry out. */
function mapped<T>(list: T[], to: (item: T) => T | null): T[] {
  const next = list.map(to);
  return next.every((item, i) => item === list[i]) ? list : next.filter((item) => item !== null);
}
