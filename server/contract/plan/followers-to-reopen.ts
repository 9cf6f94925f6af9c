// A node that is tried again: what was skipped because of it waits again.
import { graphOf } from "./graph";
import { endAt, isMet, type PlanState } from "./node-end";
import { isTaskPlace, nodeIdOf } from "./plan-words";

/**
 * In starting order. `place` is a node, or a task of a fork that still runs. What a person skipped, and what something else
 * would skip again, stays skipped; what has run stays as it ran.
 */
export function followersToReopen(state: PlanState, place: string): string[] {
  const { nodes, into } = graphOf(state.plan);
  const reopened = new Set<string>();
  const isOpenAgain = (from: string): boolean => {
    if (reopened.has(nodeIdOf(from)) || from === place) return true;
    if (nodeIdOf(from) !== nodeIdOf(place)) return false;
    // The fork of a task that is tried again; or a task of a fork that is: those that delivered are kept.
    return isTaskPlace(from) ? !isTaskPlace(place) && !hasDelivered(state, from) : true;
  };
  for (const { id } of nodes) {
    const node = state.nodes.get(id);
    if (node?.status !== "skipped" || node.reason?.startsWith("skipped by ")) continue;
    const unmet = (into.get(id) ?? []).filter((track) => isMet(state, track) === false);
    if (unmet.length > 0 && unmet.every(({ from }) => isOpenAgain(from))) reopened.add(id);
  }
  return [...reopened];
}

function hasDelivered(state: PlanState, place: string): boolean {
  const end = endAt(state, place);
  return end === "success" || end === "partial";
}
