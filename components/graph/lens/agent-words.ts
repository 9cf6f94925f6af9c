// What is said of an agent of a run: on its node, in its panel and to a screen reader the same.
import { personName } from "@/components/domain/agent-names";
import { formatCompact, formatCount, formatNumber } from "@/components/ui/format";
import type { AgentDelegations, AgentOfRun } from "@/server/contract/answers/run-agents";
import { fillPercent } from "@/server/contract/run-agents";
import type { AgentStand } from "./agents-fold";

export const agentName = (agent: Pick<AgentOfRun, "agent_id" | "name" | "is_human">): string =>
  agent.is_human ? personName(agent.agent_id) : agent.name;

type Fill = { tokens: number; window_tokens?: number };

/** "84%"; without a window the tokens. */
export function fillWords(fill: Fill): string {
  const percent = fillPercent(fill);
  return percent === null ? `${formatCompact(fill.tokens)} tokens` : `${percent}%`;
}

/** "84% of 128,000 tokens" */
export const fillSentence = (fill: Fill): string =>
  fill.window_tokens === undefined
    ? `${formatNumber(fill.tokens)} tokens, window unknown`
    : `${fillPercent(fill)}% of ${formatNumber(fill.window_tokens)} tokens`;

/** "5 x, 37k, 1 failed" */
export const delegationWords = ({ count, tokens, failed }: AgentDelegations): string =>
  [`${formatNumber(count)} ×`, `${formatCompact(tokens)} tokens`, failed === 0 ? "" : `${formatNumber(failed)} failed`]
    .filter(Boolean)
    .join(", ");

export function spokenAgent(agent: AgentStand): string {
  const { peak, turns, failed, tight, compactions } = agent;
  return [
    agentName(agent),
    agent.members ? "folded" : null,
    formatCount(turns, "turn"),
    failed === 0 ? null : `${formatNumber(failed)} failed`,
    peak ? `fullest request ${fillSentence(peak)}, in ${peak.headcode}` : "no request recorded",
    tight === 0 ? null : `${formatCount(tight, "request")} of 80% and more`,
    compactions === 0 ? null : formatCount(compactions, "compaction"),
  ]
    .filter((part) => part !== null)
    .join(", ");
}
