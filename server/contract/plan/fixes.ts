// Remedies of problems, as operations: a button in the editor, a value over REST.
import type { Checking } from "./checking";
import type { PlanOp } from "./op";
import type { Plan, PlanNode } from "./plan";
import { nodeIdOf } from "./plan-words";
import { loadsOf, writtenTracks } from "./tracks";

/** Takes a track or load away, if that alone ends the waiting: another entry may lead to the same place. */
export function takeAway({ plan }: Pick<Checking, "plan">, path: string): PlanOp[] {
  const [, i, rest = ""] = /^nodes\.(\d+)\.(.+)$/.exec(path) ?? [];
  const node = plan.nodes[Number(i)];
  if (!node) return [];
  const [removal, from] = removalAt(node, rest);
  const entries = [
    ...node.after.map((after) => after.node),
    ...loadsOf(node, Number(i)).flatMap(({ load }) => ("from" in load ? [load.from] : [])),
  ];
  return removal && entries.filter((one) => one === from).length === 1 ? [removal] : [];
}

/** Takes this entry away, whatever else leads to its place. */
export function takeEntry({ plan }: Pick<Checking, "plan">, path: string): PlanOp[] {
  const [, i, rest = ""] = /^nodes\.(\d+)\.(.+)$/.exec(path) ?? [];
  const node = plan.nodes[Number(i)];
  const removal = node && removalAt(node, rest)[0];
  return removal ? [removal] : [];
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
export function waitFor(
  { plan }: Pick<Checking, "plan">,
  to: string,
  place: string,
  on: "delivered" | "ended",
): PlanOp[] {
  return waits(plan, nodeIdOf(place), to) ? [] : [{ op: "add_track", to, track: { node: place, on } }];
}

function waits(plan: Plan, later: string, earlier: string): boolean {
  const written = new Map(plan.nodes.map((node, i) => [node.id, writtenTracks(node, i)]));
  const seen = new Set([later]);
  for (const id of seen) for (const { from } of written.get(id) ?? []) seen.add(nodeIdOf(from));
  return seen.has(earlier);
}

const INPUTS_MAX = 20;

export function declareInput({ plan }: Pick<Checking, "plan">, name: string): PlanOp[] {
  if (plan.inputs.length >= INPUTS_MAX) return [];
  const input = { name, kind: "text", required: true, description: "" };
  return [{ op: "set", path: "/inputs", value: [...plan.inputs, input] }];
}
