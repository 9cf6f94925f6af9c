// Agents alike as one node: a run that makes a thousand searchers would be a thousand nodes that say the same. Alike are those of one
// profile whom the same agents called; more than a dozen fold, in place, and unfold one by one. Pure.
import { groupBy } from "@/components/domain/group-by";
import { formatNumber } from "@/components/ui/format";
import type { AgentDelegations, AgentOfRun, RunAgents } from "@/server/contract/answers/run-agents";
import { HISTORY_MAX, isFuller } from "@/server/contract/run-agents";

/** So many of a kind still fit below each other. */
const ALIKE_MAX = 12;
const FOLD = "alike:";

/** One that stands for several has them as `members`, and `alike:` with the first of them as its id. */
export type AgentStand = AgentOfRun & { members?: readonly AgentOfRun[] };
export type AgentsView = {
  stands: readonly AgentStand[];
  delegations: readonly AgentDelegations[];
  identity: RunAgents["identity"];
  /** Where an agent is drawn: itself, or the node that holds it. */
  standOf: (agent_id: string) => string;
  hasAgent: (agent_id: string) => boolean;
  /** Of a kind, by the first of it. */
  isFolded: (key: string) => boolean;
  /** The kind of an agent of which there are more than a dozen, folded or not. */
  kindOf: (agent_id: string) => { key: string; count: number } | undefined;
};

/** `open`: first agents of kinds that are shown one by one. `newest`: what decides who is alike, whichever moment is shown. */
export function foldAgents(
  run: Pick<RunAgents, "agents" | "delegations" | "identity">,
  open: ReadonlySet<string>,
  newest: Pick<RunAgents, "agents" | "delegations"> = run,
): AgentsView {
  const kinds = kindsOf(newest);
  const shown = new Set(run.agents.map(({ agent_id }) => agent_id));
  const kindOf = new Map<string, { key: string; members: AgentOfRun[] }>();
  const holder = new Map<string, string>();
  for (const members of kinds) {
    const first = members[0]?.agent_id ?? "";
    for (const { agent_id } of members) {
      kindOf.set(agent_id, { key: first, members });
      if (!open.has(first)) holder.set(agent_id, FOLD + first);
    }
  }
  const standOf = (id: string) => holder.get(id) ?? id;
  const told = new Set<string>();
  const there = new Set([...shown].flatMap((id) => [id, standOf(id)]));
  const stands = run.agents.flatMap((agent): AgentStand[] => {
    const id = standOf(agent.agent_id);
    if (id === agent.agent_id) return [agent];
    if (told.has(id)) return [];
    told.add(id);
    const members = new Set(kindOf.get(agent.agent_id)?.members.map(({ agent_id }) => agent_id));
    return [
      summed(
        id,
        run.agents.filter(({ agent_id }) => members.has(agent_id)),
      ),
    ];
  });
  return {
    stands,
    delegations: summedEdges(run.delegations, standOf),
    identity: [
      ...new Map(
        run.identity.map((one) => {
          const drawn = { ...one, from: standOf(one.from), to: standOf(one.to) };
          return [`${drawn.from} ${drawn.to} ${drawn.action}`, drawn] as const;
        }),
      ).values(),
    ].filter(({ from, to }) => from !== to || !from.startsWith(FOLD)),
    standOf,
    hasAgent: (id) => there.has(id),
    isFolded: (key) => holder.has(key),
    kindOf: (id) => {
      const kind = kindOf.get(id.startsWith(FOLD) ? id.slice(FOLD.length) : id);
      return kind && { key: kind.key, count: kind.members.length };
    },
  };
}

/** More than a dozen each. Callers first: whom a kind called is alike too, though by different agents of it. */
function kindsOf({ agents, delegations }: Pick<RunAgents, "agents" | "delegations">): AgentOfRun[][] {
  const callers = new Map<string, string[]>();
  for (const { from, to } of delegations) if (from !== to) callers.set(to, [...(callers.get(to) ?? []), from]);
  const kindOf = new Map<string, string>();
  const kinds: AgentOfRun[][] = [];
  let left = agents.filter(({ is_human }) => !is_human);
  while (left.length > 0) {
    // Of those whose callers are all known; in a circle, of all that are left.
    const waits = new Set(left.map(({ agent_id }) => agent_id));
    const due = left.filter(({ agent_id }) => !(callers.get(agent_id) ?? []).some((id) => waits.has(id)));
    const now = due.length > 0 ? due : left;
    const alike = groupBy(now, ({ agent_id, profile_name }) => {
      const by = new Set((callers.get(agent_id) ?? []).map((id) => kindOf.get(id) ?? id));
      return JSON.stringify([profile_name, [...by].sort()]);
    });
    for (const members of alike.values()) {
      if (members.length <= ALIKE_MAX) continue;
      kinds.push(members);
      for (const { agent_id } of members) kindOf.set(agent_id, FOLD + members[0]?.agent_id);
    }
    const done = new Set(now.map(({ agent_id }) => agent_id));
    left = left.filter(({ agent_id }) => !done.has(agent_id));
  }
  return kinds;
}

/** Sums, and the fullest of all peaks; its history is the peaks of the newest. */
function summed(agent_id: string, members: readonly AgentOfRun[]): AgentStand {
  const [first] = members;
  const profile = first?.profile_name ?? "";
  const sum = (of: (agent: AgentOfRun) => number) => members.reduce((all, agent) => all + of(agent), 0);
  const peaks = members.flatMap(({ peak }) => peak ?? []);
  const [peak] = peaks.toSorted((a, b) => (isFuller(a, b) ? -1 : isFuller(b, a) ? 1 : 0));
  return {
    agent_id,
    name: `${formatNumber(members.length)} × ${profile}`,
    profile_name: profile,
    is_human: false,
    turns: sum(({ turns }) => turns),
    failed: sum(({ failed }) => failed),
    ...(peak && { peak }),
    requests: sum(({ requests }) => requests),
    tight: sum(({ tight }) => tight),
    compactions: sum(({ compactions }) => compactions),
    history: peaks.slice(-HISTORY_MAX).map((one) => ({ ...one, is_compaction: false })),
    members,
  };
}

function summedEdges(edges: readonly AgentDelegations[], standOf: (id: string) => string): AgentDelegations[] {
  const by = new Map<string, AgentDelegations>();
  for (const edge of edges) {
    const [from, to] = [standOf(edge.from), standOf(edge.to)];
    const sum = by.get(`${from} ${to}`) ?? { from, to, count: 0, tokens: 0, failed: 0 };
    by.set(`${from} ${to}`, sum);
    sum.count += edge.count;
    sum.tokens += edge.tokens;
    sum.failed += edge.failed;
  }
  return [...by.values()].sort((a, b) => b.tokens - a.tokens);
}
