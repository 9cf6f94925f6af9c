// The turns of two runs as one tree: a row for each pair and each turn without a partner, below the row of its caller. Pure.
import type { AlignedBy, TurnPair } from "./turn-pair";

/** Both sides in the order of reading. */
type Placed = { agent_turn_id: string; parent_turn_id: string | null };
export type LaidRow = { a?: string; b?: string; by?: AlignedBy; depth: number; at: number; below?: number };

type Node = { a?: string; b?: string; by?: AlignedBy; callees: Node[] };

export function layRows(a: readonly Placed[], b: readonly Placed[], pairs: readonly TurnPair[]): LaidRow[] {
  const pairOf = new Map(pairs.map((pair) => [pair.a, pair]));
  const nodesA = new Map<string, Node>();
  const nodesB = new Map<string, Node>();
  for (const { agent_turn_id } of a) {
    const pair = pairOf.get(agent_turn_id);
    const node: Node = { a: agent_turn_id, ...(pair && { b: pair.b, by: pair.by }), callees: [] };
    nodesA.set(agent_turn_id, node);
    if (pair) nodesB.set(pair.b, node);
  }
  for (const { agent_turn_id } of b)
    if (!nodesB.has(agent_turn_id)) nodesB.set(agent_turn_id, { b: agent_turn_id, callees: [] });
  const roots: Node[] = [];
  for (const { agent_turn_id, parent_turn_id } of a) {
    const node = nodesA.get(agent_turn_id);
    if (node) (nodesA.get(parent_turn_id ?? "")?.callees ?? roots).push(node);
  }
  // A turn of b alone stands after the one that its caller called before it.
  const before = new Map<string, Node>();
  for (const { agent_turn_id, parent_turn_id } of b) {
    const [node, caller] = [nodesB.get(agent_turn_id), parent_turn_id ?? ""];
    if (!node) continue;
    if (node.a === undefined) {
      const callees = nodesB.get(caller)?.callees ?? roots;
      const last = before.get(caller);
      callees.splice(last ? callees.indexOf(last) + 1 : 0, 0, node);
    }
    before.set(caller, node);
  }
  return walk(roots, new Set([...nodesA.values(), ...nodesB.values()]));
}

/** Without recursion: a chain of 5,000 turns is deeper than the stack. */
function walk(roots: readonly Node[], unseen: Set<Node>): LaidRow[] {
  const rows: LaidRow[] = [];
  const open = roots.map((node) => ({ node, depth: 0, below: undefined as number | undefined })).reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, depth, below } = next;
    const { callees, ...sides } = node;
    const at = rows.length;
    unseen.delete(node);
    rows.push({ ...sides, depth, at, ...(below !== undefined && { below }) });
    for (const callee of callees.toReversed()) open.push({ node: callee, depth: depth + 1, below: at });
  }
  // Callers that form a circle, as in restored data, hang below nobody.
  for (const { callees: _callees, ...sides } of unseen) rows.push({ ...sides, depth: 0, at: rows.length });
  return rows;
}
