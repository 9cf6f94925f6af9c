// What a node waits for: its `after`, and what it and its tasks load. A node that is switched off is as if absent: whoever
// waited for it waits for what it waited for.
import type { After, Load, Plan, PlanNode } from "./plan";
import { nodeIdOf } from "./plan-words";

export type Track = {
  /** A node, or fork.task. */
  from: string;
  on: After["on"];
  /** The node or fork.task that wrote it. */
  at: string;
  /** In the body: nodes.2.after.0, nodes.2.tasks.0.load.1 */
  path: string;
  /** There is no `after`: the load alone makes it wait. */
  is_load: boolean;
};

export type LoadAt = { load: Load; at: string; path: string };

/** The loads of a node: for a fork its own first, then those of its tasks. */
export function loadsOf(node: PlanNode, index: number): LoadAt[] {
  const own = node.load.map((load, i) => ({ load, at: node.id, path: `nodes.${index}.load.${i}` }));
  if (node.kind !== "fork") return own;
  return [
    ...own,
    ...node.tasks.flatMap((task, j) =>
      task.load.map((load, i) => ({ load, at: `${node.id}.${task.id}`, path: `nodes.${index}.tasks.${j}.load.${i}` })),
    ),
  ];
}

/** As written, also from and to nodes that are switched off. */
export function writtenTracks(node: PlanNode, index: number): Track[] {
  const tracks: Track[] = node.after.map(({ node: from, on }, i) => ({
    from,
    on,
    at: node.id,
    path: `nodes.${index}.after.${i}`,
    is_load: false,
  }));
  const waited = new Set(node.after.map(({ node: from }) => from));
  for (const { load, at, path } of loadsOf(node, index)) {
    if (!("from" in load)) continue;
    // A summary is that of the join, also where a task is named.
    const from = load.take === "summary" ? nodeIdOf(load.from) : load.from;
    if (waited.has(from)) continue;
    waited.add(from);
    tracks.push({ from, on: "delivered", at, path, is_load: true });
  }
  return tracks;
}

/** By node that is switched on: each place and condition once. */
export function tracksOf({ nodes }: Pick<Plan, "nodes">): Map<string, Track[]> {
  const byId = new Map(nodes.map((node, index) => [node.id, { node, written: writtenTracks(node, index) }]));
  const tracksInto = (id: string): Track[] => {
    const found = new Map<string, Track>();
    const passed = new Set<string>();
    /** `own` is the entry of the node itself that leads here. */
    const follow = (track: Track, own: Track): void => {
      const source = byId.get(nodeIdOf(track.from));
      if (!source || passed.has(source.node.id)) return;
      const key = `${track.from} ${track.on}`;
      if (!source.node.disabled) {
        if (!found.has(key)) found.set(key, { ...own, from: track.from, on: track.on });
        return;
      }
      passed.add(source.node.id);
      for (const before of source.written) follow(before, own);
    };
    for (const own of byId.get(id)?.written ?? []) follow(own, own);
    return [...found.values()];
  };
  return new Map(nodes.filter(({ disabled }) => !disabled).map(({ id }) => [id, tracksInto(id)]));
}
