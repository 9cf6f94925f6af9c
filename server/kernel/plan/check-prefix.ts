// Tasks of a fork that load the same thing after different ones: what they share at the start is sent once, the rest is not.
import { type KernelProblem, kernelProblem } from "@/server/contract/plan/kernel-check";
import type { Fork, Load, Plan } from "@/server/contract/plan/plan";
import { nameOf } from "@/server/contract/plan/plan-words";

/** `tokensOf`: of an entry that exists already; 0 = not yet. */
export function checkPrefixes(
  plan: Plan,
  nodes: ReadonlySet<string>,
  tokensOf: (load: Load, nodeId: string) => number,
): KernelProblem[] {
  return plan.nodes.flatMap((node, i) =>
    node.kind === "fork" && nodes.has(node.id) && node.tasks.length > 1 ? breaksOf(node, i, tokensOf) : [],
  );
}

const keyOf = (load: Load): string => JSON.stringify(load, Object.keys(load).sort());

function breaksOf(fork: Fork, index: number, tokensOf: (load: Load, nodeId: string) => number): KernelProblem[] {
  const [first, ...others] = fork.tasks.map(({ load }) => load);
  if (!first) return [];
  const shared = first.findIndex((load, i) => others.some((own) => !own[i] || keyOf(own[i]) !== keyOf(load)));
  // All of the first one's load is every task's beginning.
  if (shared < 0) return [];
  const common = first
    .slice(shared)
    .filter((load) => others.every((own) => own.slice(shared).some((other) => keyOf(other) === keyOf(load))));
  const sum = (loads: readonly Load[]): number => loads.reduce((total, load) => total + tokensOf(load, fork.id), 0);
  const now = sum([...fork.load, ...first.slice(0, shared)]);
  const [heaviest] = common
    .map((load) => ({ load, tokens: tokensOf(load, fork.id) }))
    .filter(({ tokens }) => tokens > 0)
    .sort((a, b) => b.tokens - a.tokens);
  if (!heaviest) return [];
  const says = `The tasks of ${nameOf(fork)} share ${now} tokens; loading ${wordsOf(heaviest.load)} first would make it ${now + heaviest.tokens}.`;
  return [kernelProblem("prefix_breaks", fork.id, `nodes.${index}.tasks`, says)];
}

function wordsOf(load: Load): string {
  if ("box" in load) return `box ${load.box}`;
  if ("card" in load) return `card ${load.card}`;
  return "input" in load ? `input ${load.input}` : `the result of ${load.from}`;
}
