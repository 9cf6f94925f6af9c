// The edges of a run's context flow, from what each turn holds. Pure.
import type { FlowEdge, FlowSource } from "@/server/contract/answers/run-flow";
import type { CameFrom } from "./came-from";

type Summed = { edges: FlowEdge[]; sources: FlowSource[]; tokens: number };

/** Most tokens first; of equals in the order of the turns. */
export function sumFlow(turns: readonly { agent_turn_id: string; came: readonly CameFrom[] }[]): Summed {
  const edges: FlowEdge[] = [];
  const sources = new Map<string, FlowSource>();
  for (const { agent_turn_id: to, came } of turns) {
    const own = new Map<string, FlowEdge>();
    for (const { from, source, tokens } of came) {
      const edge = own.get(from) ?? { from, to, cards: 0, tokens: 0 };
      edge.cards++;
      edge.tokens += tokens;
      own.set(from, edge);
      if (!source) continue;
      const sum = sources.get(from) ?? { source_id: from, ...source, cards: 0, tokens: 0 };
      sum.cards++;
      sum.tokens += tokens;
      sources.set(from, sum);
    }
    edges.push(...own.values());
  }
  return {
    edges: edges.sort((a, b) => b.tokens - a.tokens),
    sources: [...sources.values()].sort((a, b) => b.tokens - a.tokens),
    tokens: edges.reduce((sum, edge) => sum + edge.tokens, 0),
  };
}
