// Agents that go on: an agent has one turn at a time, and the agent of a wagon is there when that wagon has ended.
import { type Checking, type GraphProblem, problem } from "./checking";
import { cloneIt, goOnWith, switchOn, waitFor } from "./fixes";
import type { PlanNode } from "./plan";
import { nameOf, nodeIdOf, type RiderAt } from "./plan-words";
import { clash, type Wants, wantsOf } from "./wants";

export function agentsThere(checking: Checking): GraphProblem[] {
  const { name, pathOf, graph } = checking;
  return checking.riders.flatMap(({ place, rider, node }) => {
    const wanted = wagonOf(rider);
    if (wanted === null) return [];
    const [a, b, path] = [nameOf(rider), name(wanted), `${pathOf(place)}.target.ref`];
    const source = checking.plan.nodes.find(({ id }) => id === nodeIdOf(wanted));
    if (source?.id === wanted && source.kind === "fork") {
      const says = `${a} has no target: ${b} is a fork. Choose one of its tasks.`;
      return problem(
        "no_target",
        place,
        path,
        says,
        source.tasks.map(({ id }) => goOnWith(place, `${wanted}.${id}`)),
      );
    }
    return graph.byId.has(nodeIdOf(wanted)) && checking.endsBefore(wanted, node.id)
      ? []
      : problem(
          "not_before",
          place,
          path,
          `${a} reuses the agent of ${b}, which does not end before it.`,
          source?.disabled ? [switchOn(source.id)] : waitFor(checking, node.id, wanted, "delivered"),
        );
  });
}

/** `@node` and `@fork.task` without the sign. Null = it needs no other wagon. */
function wagonOf({ target }: RiderAt["rider"]): string | null {
  return target && target.strategy !== "new" && target.ref.startsWith("@") ? target.ref.slice(1) : null;
}

/** One problem for each later wagon: the first of the others it may meet. */
export function agentsFree(checking: Checking): GraphProblem[] {
  const byPlace = new Map(checking.riders.map((one) => [one.place, one]));
  const order = new Map(checking.graph.nodes.map(({ id }, i) => [id, i]));
  const byAgent = new Map<string, RiderAt[]>();
  for (const one of checking.riders) {
    const agent = reused(one, byPlace);
    if (agent !== null) append(byAgent, agent, one);
  }
  return [...byAgent].flatMap(([agent, riders]) => {
    if (riders.length < 2) return [];
    const wants = new Map(riders.map(({ node }) => [node, wantsOf(checking.graph.into.get(node.id))]));
    const inOrder = [...riders].sort((a, b) => (order.get(a.node.id) ?? 0) - (order.get(b.node.id) ?? 0));
    return inOrder.flatMap((later, i) => {
      const earlier = inOrder.slice(0, i);
      const twin = earlier.find(({ node }) => node === later.node);
      const other = twin ?? earlier.find((one) => mayMeet(checking, wants, one, later));
      return other ? [meeting(checking, agent, other, later, twin !== undefined)] : [];
    });
  });
}

function append<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** Neither waits for the other, and no end of a third lets only one of them start. */
function mayMeet(checking: Checking, wants: Map<PlanNode, Wants>, first: RiderAt, later: RiderAt): boolean {
  if (checking.endsBefore(first.place, later.node.id)) return false;
  const [a, b] = [wants.get(first.node), wants.get(later.node)];
  return !a || !b || (clash(a, b) ?? clash(b, a)) === undefined;
}

function meeting(checking: Checking, agent: string, first: RiderAt, later: RiderAt, isTwin: boolean): GraphProblem {
  const { name, pathOf } = checking;
  const [a, b, path] = [nameOf(first.rider), nameOf(later.rider), `${pathOf(later.place)}.target.ref`];
  const who = agent.startsWith("@") ? `the agent of ${name(agent.slice(1))}` : agent;
  return isTwin
    ? problem(
        "twin",
        later.place,
        path,
        `${a} and ${b} both reuse ${who}, which has one turn at a time. Clone it in one of them.`,
        [cloneIt(later.place)],
      )
    : problem(
        "would_queue",
        later.place,
        path,
        `${a} and ${b} may run at once on ${who}: the later one waits in its inbox.`,
        [...waitFor(checking, later.node.id, first.place, "ended"), cloneIt(later.place)],
      );
}

/** The agent that a wagon goes on with: an id, or @place of the wagon that it began with. Null = an agent of its own. */
function reused({ rider }: RiderAt, byPlace: ReadonlyMap<string, RiderAt>): string | null {
  if (rider.target?.strategy !== "reuse") return null;
  let ref = rider.target.ref;
  for (const seen = new Set<string>(); ref.startsWith("@") && !seen.has(ref); ) {
    seen.add(ref);
    const target = byPlace.get(ref.slice(1))?.rider.target;
    if (target?.strategy !== "reuse") break;
    ref = target.ref;
  }
  return ref;
}
