// The agents of a run as of a moment: what its turns said then, out of what is told of now. Pure.
import type { AgentDelegations, AgentFill, AgentOfRun, RunAgents } from "@/server/contract/answers/run-agents";
import type { TurnFrame } from "@/server/contract/frame";
import { fillPercent } from "@/server/contract/run-agents";
import { TIGHT_PERCENT } from "@/server/contract/tokens";
import { isEnded } from "@/server/contract/turn";

/** `turns`: of the picture. Requests have no time here, so only those of turns that were over count: they were sent by then. */
export function agentsThen(run: RunAgents, turns: readonly TurnFrame[]): RunAgents {
  const by = new Map<string, TurnFrame[]>();
  for (const turn of turns) {
    const own = by.get(turn.agent_id);
    if (own) own.push(turn);
    else by.set(turn.agent_id, [turn]);
  }
  const over = new Set(turns.flatMap(({ agent_turn_id, status }) => (isEnded(status) ? [agent_turn_id] : [])));
  const agents = run.agents.flatMap((agent) => {
    const own = by.get(agent.agent_id);
    return own ? [agentThen(agent, own, over)] : [];
  });
  const isThere = new Set(agents.map(({ agent_id }) => agent_id));
  return {
    ...run,
    agents,
    agents_total: by.size,
    delegations: delegationsOf(turns).filter(({ from, to }) => isThere.has(from) && isThere.has(to)),
    identity: run.identity.filter(({ from, to }) => isThere.has(from) && isThere.has(to)),
  };
}

function agentThen(agent: AgentOfRun, turns: readonly TurnFrame[], over: ReadonlySet<string>): AgentOfRun {
  const { peak, ...rest } = agent;
  const history = agent.history.filter(({ agent_turn_id }) => over.has(agent_turn_id));
  const fullest = peak && over.has(peak.agent_turn_id) ? peak : fullestOf(history);
  return {
    ...rest,
    turns: turns.length,
    failed: turns.filter(hasFailed).length,
    ...(fullest && { peak: fullest }),
    history,
    requests: history.length,
    tight: history.filter((fill) => (fillPercent(fill) ?? 0) >= TIGHT_PERCENT).length,
    compactions: history.filter(({ is_compaction }) => is_compaction).length,
  };
}

function fullestOf(history: AgentOfRun["history"]): AgentFill | undefined {
  const share = ({ tokens, window_tokens }: AgentFill) => (window_tokens ? tokens / window_tokens : 0);
  const [first] = history.toSorted((a, b) => share(b) - share(a) || b.tokens - a.tokens);
  if (!first) return undefined;
  const { is_compaction: _, ...fill } = first;
  return fill;
}

/** Most tokens first. */
function delegationsOf(turns: readonly TurnFrame[]): AgentDelegations[] {
  const agentOf = new Map(turns.map((turn) => [turn.agent_turn_id, turn.agent_id]));
  const edges = new Map<string, AgentDelegations>();
  for (const turn of turns) {
    const [from, to] = [agentOf.get(turn.parent_turn_id ?? ""), turn.agent_id];
    if (from === undefined) continue;
    const edge = edges.get(`${from} ${to}`) ?? { from, to, count: 0, tokens: 0, failed: 0 };
    edges.set(`${from} ${to}`, edge);
    edge.count++;
    edge.tokens += turn.context_tokens;
    if (hasFailed(turn)) edge.failed++;
  }
  return [...edges.values()].sort((a, b) => b.tokens - a.tokens);
}

const hasFailed = ({ status }: TurnFrame): boolean => status === "failed" || status === "timeout";
