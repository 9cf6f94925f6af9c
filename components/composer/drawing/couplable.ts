// Which places may not wait for a result of another, and why, in one walk over the plan. Pure.
import type { Plan } from "@/server/contract/plan/plan";
import { idsOf, isTaskPlace, nameOf, nodeIdOf } from "@/server/contract/plan/plan-words";
import { writtenTracks } from "@/server/contract/plan/tracks";

/** By place, for those that are refused. */
export function refusedTargets(plan: Plan, from: string): Map<string, string> {
  const source = plan.nodes.find(({ id }) => id === nodeIdOf(from));
  if (!source) return new Map();
  const task = source.kind === "fork" ? source.tasks.find(({ id }) => `${source.id}.${id}` === from) : undefined;
  const name = nameOf(task ?? source);
  const before = upstreamOf(plan, source.id);
  const refused = new Map<string, string>();
  for (const place of idsOf(plan)) {
    const id = nodeIdOf(place);
    if (place === from) refused.set(place, "it cannot wait for itself");
    else if (id === source.id)
      refused.set(place, isTaskPlace(place) ? `starts together with ${name}` : `${name} is a task of it`);
    else if (before.has(id)) refused.set(place, `ends before ${name} starts`);
  }
  return refused;
}

/** All nodes that must end before this one starts. */
function upstreamOf(plan: Plan, id: string): Set<string> {
  const indexOf = new Map(plan.nodes.map((node, i) => [node.id, i]));
  const found = new Set<string>();
  const open = [id];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const index = indexOf.get(next) ?? -1;
    const node = plan.nodes[index];
    if (!node) continue;
    for (const track of writtenTracks(node, index)) {
      const source = nodeIdOf(track.from);
      if (found.has(source)) continue;
      found.add(source);
      open.push(source);
    }
  }
  return found;
}

/** Which places may not be waited for by this node, and why. */
export function refusedSources(plan: Plan, to: string): Map<string, string> {
  const refused = new Map<string, string>();
  for (const from of idsOf(plan)) {
    const why = refusedTargets(plan, from).get(to);
    if (why !== undefined) refused.set(from, why);
  }
  return refused;
}
