// The order in which nodes may start: whatever a node waits for comes first, and of those that may start the one written first.
import type { PlanNode } from "./plan";
import { nodeIdOf } from "./plan-words";
import type { Track } from "./tracks";

/** Nodes in a circle come last, as written: the check refuses them. */
export function startingOrder(
  nodes: readonly PlanNode[],
  into: ReadonlyMap<string, readonly Track[]>,
  followers: ReadonlyMap<string, readonly string[]>,
): PlanNode[] {
  const rank = new Map(nodes.map(({ id }, i) => [id, i]));
  const open = new Map(nodes.map(({ id }) => [id, new Set(into.get(id)?.map(({ from }) => nodeIdOf(from))).size]));
  const ready = nodes.flatMap(({ id }, i) => (open.get(id) === 0 ? [i] : []));
  const order: PlanNode[] = [];
  for (let next = ready.shift(); next !== undefined; next = ready.shift()) {
    const node = nodes[next];
    if (!node) continue;
    order.push(node);
    for (const id of followers.get(node.id) ?? []) {
      const left = (open.get(id) ?? 0) - 1;
      open.set(id, left);
      const at = rank.get(id);
      if (left === 0 && at !== undefined) insert(ready, at);
    }
  }
  const placed = new Set(order);
  return [...order, ...nodes.filter((node) => !placed.has(node))];
}

/** Keeps the list sorted. */
function insert(list: number[], value: number): void {
  const at = list.findIndex((one) => one > value);
  list.splice(at < 0 ? list.length : at, 0, value);
}
