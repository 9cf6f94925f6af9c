// Inside one fork: tasks start together, and the fork is over when they are. Nothing of it can be waited for from inside.
import { waitForEachOther } from "./check-circles";
import { type Checking, type GraphProblem, problem } from "./checking";
import { takeEntry } from "./fixes";
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
    const found = new Map<string, Inside[]>();
    for (const one of [...after, ...loads]) {
      if (nodeIdOf(one.from) !== node.id) continue;
      const same = found.get(`${one.at} ${one.from}`);
      if (same) same.push(one);
      else found.set(`${one.at} ${one.from}`, [one]);
    }
    return [...found.values()].flatMap(([one, ...more]) => (one ? waitInside(checking, one, more.length === 0) : []));
  });
}

type Inside = { from: string; at: string; path: string };

function waitInside(checking: Checking, { from, at, path }: Inside, isOnly: boolean): GraphProblem {
  const [a, b] = [checking.name(from), checking.name(at)];
  const fixes = isOnly ? takeEntry(checking, path) : [];
  if (!isTaskPlace(from) || !isTaskPlace(at) || from === at)
    return problem("circle", entryAt(at, path), path, waitForEachOther(from === at ? [b] : [b, a]), fixes);
  const says = `${a} and ${b} are tasks of one fork and start together. Put ${b} behind the gate.`;
  return problem("together", entryAt(at, path), path, says, fixes);
}
