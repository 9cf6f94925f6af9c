// The chain from the root to the receiver as one line: `human → coordinator → solver → you (observer)`.
import type { DelegationFacts } from "@/server/contract/delegation-context";
import { collapse, cutText } from "../context/cut-text";

const ELEMENTS_MAX = 8;
const HEAD = 3;
const TAIL = 4;

/** More than eight elements: the first three, how many are left out, and the last four. */
export function chainText(facts: Pick<DelegationFacts, "origin" | "chain" | "target">, nameMax?: number): string {
  const agents = facts.chain.filter((link, i) => !isSameGoingOn(link, facts.chain[i - 1]));
  const names = [...agents, facts.target].map((link) => oneLine(link.name, nameMax));
  const self = names.pop() ?? "";
  const elements = [facts.origin, ...names, `you (${self})`];
  const more = elements.length - HEAD - TAIL;
  const shown =
    elements.length > ELEMENTS_MAX
      ? [...elements.slice(0, HEAD), `… (${more} more)`, ...elements.slice(-TAIL)]
      : elements;
  return shown.join(" → ");
}

function isSameGoingOn(link: DelegationFacts["chain"][number], before: DelegationFacts["chain"][number] | undefined) {
  return link.is_continuation === true && before?.agent_id === link.agent_id;
}

/** A name must not forge a line or a link of the chain. */
export function oneLine(name: string, max = Number.POSITIVE_INFINITY): string {
  return cutText(collapse(name).replaceAll("→", "->"), max);
}
