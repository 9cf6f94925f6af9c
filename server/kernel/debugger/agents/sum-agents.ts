// The turns and requests of a run, by agent. Pure.
import type { AgentDelegations, AgentFill, AgentOfRun } from "@/server/contract/answers/run-agents";
import { fillPercent, HISTORY_MAX, isFuller } from "@/server/contract/run-agents";
import { TIGHT_PERCENT } from "@/server/contract/tokens";
import type { RequestRow, RunTurnRow } from "./read-run-turns";

type Figures = Omit<AgentOfRun, "name" | "profile_name" | "is_human">;

/** Both newest first, as they are read. The agents come in the order of their first turns. */
export function sumAgents(turns: readonly RunTurnRow[], requests: readonly RequestRow[]): Figures[] {
  const by = new Map<string, Figures>();
  const turnOf = new Map(turns.map((turn) => [turn.agent_turn_id, turn]));
  const stepOf = new Map(requests.map((row) => [`${row.agent_turn_id} ${row.request_tokens}`, row]));
  for (const turn of turns.toReversed()) {
    const one = by.get(turn.agent_id) ?? nothingOf(turn.agent_id);
    by.set(turn.agent_id, one);
    one.turns++;
    if (hasFailed(turn)) one.failed++;
    if (turn.fullest_tokens === null) continue;
    const step = stepOf.get(`${turn.agent_turn_id} ${turn.fullest_tokens}`);
    const fill = fillOf(turn, turn.fullest_tokens, step);
    if (!one.peak || isFuller(fill, one.peak)) one.peak = fill;
  }
  const before = new Map<string, RequestRow>();
  for (const request of requests.toReversed()) {
    const turn = turnOf.get(request.agent_turn_id);
    const one = by.get(turn?.agent_id ?? "");
    if (!turn || !one) continue;
    const fill = fillOf(turn, request.request_tokens, request);
    const is_compaction = isSmaller(request, before.get(turn.agent_turn_id));
    before.set(turn.agent_turn_id, request);
    one.requests++;
    if (is_compaction) one.compactions++;
    if ((fillPercent(fill) ?? 0) >= TIGHT_PERCENT) one.tight++;
    one.history.push({ ...fill, is_compaction });
  }
  return [...by.values()].map((one) => ({ ...one, history: one.history.slice(-HISTORY_MAX) }));
}

/** Most tokens first. */
export function sumDelegations(turns: readonly RunTurnRow[]): AgentDelegations[] {
  const edges = new Map<string, AgentDelegations>();
  for (const turn of turns.toReversed()) {
    if (turn.caller_agent_id === null) continue;
    const [from, to] = [turn.caller_agent_id, turn.agent_id];
    const edge = edges.get(`${from} ${to}`) ?? { from, to, count: 0, tokens: 0, failed: 0 };
    edges.set(`${from} ${to}`, edge);
    edge.count++;
    edge.tokens += turn.context_tokens;
    if (hasFailed(turn)) edge.failed++;
  }
  return [...edges.values()].sort((a, b) => b.tokens - a.tokens);
}

const nothingOf = (agent_id: string): Figures => ({
  ...{ agent_id, turns: 0, failed: 0, requests: 0, tight: 0, compactions: 0, history: [] },
});

const hasFailed = ({ status }: RunTurnRow): boolean => status === "failed" || status === "timeout";

function fillOf(turn: RunTurnRow, tokens: number, step: RequestRow | undefined): AgentFill {
  const { agent_turn_id, headcode, window_tokens } = turn;
  return {
    ...{ agent_turn_id, headcode, tokens },
    ...(step && { step_id: step.step_id, ordinal: step.ordinal, sent_at: step.started_at }),
    ...(window_tokens !== null && { window_tokens }),
  };
}

/** Cards were taken out of the request, and it weighs less. */
const isSmaller = (now: RequestRow, before: RequestRow | undefined): boolean =>
  before !== undefined &&
  now.cards !== null &&
  before.cards !== null &&
  now.cards < before.cards &&
  now.request_tokens < before.request_tokens;
