// Which places are over before a node starts. A track from a task tells of that task alone, one from a fork of all its tasks.
import type { PlanGraph } from "./graph";
import { isTaskPlace, nodeIdOf } from "./plan-words";

export type EndsBefore = (place: string, nodeId: string) => boolean;

/** Sets of bits: 300 wagons are asked about one another in one check. */
export function endsBefore({ nodes, into }: Pick<PlanGraph, "nodes" | "into">): EndsBefore {
  const places = nodes.flatMap((node) => [
    node.id,
    ...(node.kind === "fork" ? node.tasks.map(({ id }) => `${node.id}.${id}`) : []),
  ]);
  const bitOf = new Map(places.map((place, i) => [place, i]));
  const tasksOf = new Map(nodes.map((node) => [node.id, node.kind === "fork" ? node.tasks.length : 0]));
  const over = new Map<string, Uint32Array>();
  for (const { id } of nodes) {
    const bits = new Uint32Array(Math.ceil(places.length / 32));
    for (const { from } of into.get(id) ?? []) {
      const bit = bitOf.get(from);
      if (bit === undefined) continue;
      const count = isTaskPlace(from) ? 1 : 1 + (tasksOf.get(from) ?? 0);
      for (let i = bit; i < bit + count; i++) bits[i >> 5] = (bits[i >> 5] ?? 0) | (1 << (i & 31));
      const before = over.get(nodeIdOf(from));
      if (before) for (let word = 0; word < bits.length; word++) bits[word] = (bits[word] ?? 0) | (before[word] ?? 0);
    }
    over.set(id, bits);
  }
  return (place, nodeId) => {
    const bit = bitOf.get(place);
    return bit !== undefined && (((over.get(nodeId)?.[bit >> 5] ?? 0) >> (bit & 31)) & 1) === 1;
  };
}
