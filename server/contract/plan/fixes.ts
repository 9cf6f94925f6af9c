// Remedies of problems, as operations: a button in the editor, a value over REST.
import type { Checking } from "./checking";
import type { PlanOp } from "./op";
import type { Plan, PlanNode } from "./plan";
import { nodeIdOf } from "./plan-words";

/** Takes a track or load away, if that alone ends the waiting: another entry may lead to the same node. */
export function takeAway({ plan, entries }: Checking, path: string): PlanOp[] {
  const { node, removal, from } = entryAtPath(plan, path);
  return node && removal && from !== undefined && entries(node.id, nodeIdOf(from)) === 1 ? [removal] : [];
}

/** Takes this entry away, whatever else leads to its place. */
export function takeEntry({ plan }: Checking, path: string): PlanOp[] {
  const { removal } = entryAtPath(plan, path);
  return removal ? [removal] : [];
}

function entryAtPath(
  plan: Pick<Plan, "nodes">,
  path: string,
): { node?: PlanNode; removal?: PlanOp | null; from?: string } {
  const [, i, rest = ""] = /^nodes\.(\d+)\.(.+)$/.exec(path) ?? [];
  const node = plan.nodes[Number(i)];
  if (!node) return {};
  const [removal, from] = removalAt(node, rest);
  return { node, removal, from };
}

function removalAt(node: PlanNode, rest: string): [PlanOp | null, string?] {
  const [, j, list, k] = /^(?:tasks\.(\d+)\.)?(after|load)\.(\d+)$/.exec(rest) ?? [];
  const index = Number(k);
  if (list === "after") {
    const track = node.after[index];
    return track ? [{ op: "remove_track", to: node.id, track, index }, track.node] : [null];
  }
  const task = j === undefined || node.kind !== "fork" ? undefined : node.tasks[Number(j)];
  const load = (task ?? node).load[index];
  if (list !== "load" || !load) return [null];
  const to = task ? `${node.id}.${task.id}` : node.id;
  return [{ op: "remove_load", to, load, index }, "from" in load ? load.from : undefined];
}

export const cloneIt = (place: string): PlanOp => ({
  op: "set",
  node: place,
  path: "/target/strategy",
  value: "clone",
});
export const goOnWith = (place: string, wagon: string): PlanOp => ({
  op: "set",
  node: place,
  path: "/target/ref",
  value: `@${wagon}`,
});
export const switchOn = (node: string): PlanOp => ({ op: "set", node, path: "/disabled", value: false });

/** Waits for a place, unless that place waits for the node. */
export function waitFor({ graph }: Checking, to: string, place: string, on: "delivered" | "ended"): PlanOp[] {
  const seen = new Set([nodeIdOf(place)]);
  for (const id of seen) for (const { from } of graph.into.get(id) ?? []) seen.add(nodeIdOf(from));
  return seen.has(to) ? [] : [{ op: "add_track", to, track: { node: place, on } }];
}

const INPUTS_MAX = 20;
const DEFAULT_CHARS_MAX = 2_000;

export function declareInput({ plan }: Checking, name: string): PlanOp[] {
  if (plan.inputs.length >= INPUTS_MAX) return [];
  // The remedy carries all of them: it is no help where they are as long as the plan.
  if (plan.inputs.some((input) => (input.default?.length ?? 0) > DEFAULT_CHARS_MAX)) return [];
  const input = { name, kind: "text", required: true, description: "" };
  return [{ op: "set", path: "/inputs", value: [...plan.inputs, input] }];
}
