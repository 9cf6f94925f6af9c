// Inside one fork: tasks start together, and the fork is over when they are. Nothing of it can be waited for from inside.
import { waitForEachOther } from "./check-circles";
import { type Checking, type GraphProblem, problem } from "./checking";
import { takeAway } from "./fixes";
import { isTaskPlace, nodeIdOf } from "./plan-words";
import { entryAt } from "./problem";
import { loadsOf } from "./tracks";

export function insideForks(checking: Checking): GraphProblem[] {
  return checking.plan.nodes.flatMap((node, i) => {
    if (node.disabled) return [];
    const after = node.after.map((one, k) => ({ from: one.node, at: node.id, path: `nodes.${i}.after.${k}` }));
    const loads = loadsOf(node, i).flatMap(({ load, at, path }) =>
      "from" in load ? [{ from: load.from, at, path }] : [],
    );
    const own = [...after, ...loads].filter(({ from }) => nodeIdOf(from) === node.id);
    const first = new Map([...own].reverse().map((one) => [`${one.at} ${one.from}`, one]));
    return [...first.values()].reverse().map((one) => waitInside(checking, one));
  });
}

function waitInside(checking: Checking, { from, at, path }: { from: string; at: string; path: string }): GraphProblem {
  const [a, b] = [checking.name(from), checking.name(at)];
  if (isTaskPlace(from) && isTaskPlace(at) && from !== at)
    return problem(
      "together",
      entryAt(at, path),
      path,
      `${a} and ${b} are tasks of one fork and start together. Put ${b} behind the gate.`,
      takeAway(checking, path),
    );
  return problem(
    "circle",
    entryAt(at, path),
    path,
    waitForEachOther(from === at ? [b] : [b, a]),
    takeAway(checking, path),
  );
}
