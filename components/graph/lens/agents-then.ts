// The agents of a run as of an earlier moment: the turns of the picture that is shown decide who was there and who had called whom,
// and of the requests those that had been sent by then. Pure.
import { groupBy } from "@/components/domain/group-by";
import type { AgentDelegations, AgentFill, AgentOfRun, RunAgents } from "@/server/contract/answers/run-agents";
import type { TurnFrame } from "@/server/contract/frame";
import { fillPercent, isFuller } from "@/server/contract/run-agents";
import { TIGHT_PERCENT } from "@/server/contract/tokens";

/** `at`: in milliseconds since 1970; null = now, and nothing changes. */
export function agentsThen(run: RunAgents, turns: readonly TurnFrame[], at: number | null): RunAgents {
  if (at === null) return run;
  const then = turns.filter(({ root_turn_id }) => root_turn_id === run.root_turn_id);
  const by = groupBy(then, ({ agent_id }) => agent_id);
  const agents = run.agents.flatMap((agent) => {
    const own = by.get(agent.agent_id);
    return own ? [agentThen(agent, own, at)] : [];
  });
  const isThere = (id: string) => by.has(id);
  return {
    ...run,
    agents,
    agents_total: agents.length,
    delegations: delegationsOf(then).filter(({ from, to }) => isThere(from) && isThere(to)),
    identity: run.identity.filter(({ from, to }) => isThere(from) && isThere(to)),
  };
}

function agentThen(agent: AgentOfRun, own: readonly TurnFrame[], at: number): AgentOfRun {
  const { peak, ...rest } = agent;
  const history = agent.history.filter((one) => isSent(one, at));
  const known = peak && isSent(peak, at) ? peak : history.toSorted((a, b) => (isFuller(a, b) ? -1 : 1))[0];
  return {
    ...rest,
    turns: own.length,
    failed: own.filter(hasFailed).length,
    ...(known && { peak: fillOf(known) }),
    requests: history.length,
    tight: history.filter((one) => (fillPercent(one) ?? 0) >= TIGHT_PERCENT).length,
    compactions: history.filter(({ is_compaction }) => is_compaction).length,
    history,
  };
}

/** Most tokens first, as they are read. */
function delegationsOf(turns: readonly TurnFrame[]): AgentDelegations[] {
  const agentOf = new Map(turns.map(({ agent_turn_id, agent_id }) => [agent_turn_id, agent_id]));
  const edges = new Map<string, AgentDelegations>();
  for (const turn of turns) {
    const from = agentOf.get(turn.parent_turn_id ?? "");
    if (from === undefined) continue;
    const edge = edges.get(`${from} ${turn.agent_id}`) ?? { from, to: turn.agent_id, count: 0, tokens: 0, failed: 0 };
    edges.set(`${from} ${turn.agent_id}`, edge);
    edge.count++;
    edge.tokens += turn.context_tokens;
    if (hasFailed(turn)) edge.failed++;
  }
  return [...edges.values()].sort((a, b) => b.tokens - a.tokens);
}

const hasFailed = ({ status }: TurnFrame): boolean => status === "failed" || status === "timeout";
const isSent = ({ sent_at }: AgentFill, at: number): boolean => sent_at !== undefined && Date.parse(sent_at) <= at;
const fillOf = ({ is_compaction: _, ...fill }: AgentFill & { is_compaction?: boolean }): AgentFill => fill;
