// The context flow as it is drawn: between what stands on the plan, so that a folded wagon sums the edges of its turns. Pure.
import type { FlowEdge, FlowSource, RunFlow } from "@/server/contract/answers/run-flow";

export type FlowStand = { from: string; to: string; cards: number; tokens: number; edges: readonly FlowEdge[] };
export type FlowGround = {
  /** Where a turn is drawn: itself, or the wagon that holds it. Undefined = not in the picture. */
  standOf: (id: string) => string | undefined;
};
export type FlowView = {
  /** Most tokens first. */
  lanes: readonly FlowStand[];
  sources: readonly FlowSource[];
};

/** More lanes than these cannot be told apart; those of the selection are drawn besides. */
export const LANES_DRAWN = 160;

/** What stays inside one wagon is no lane. */
export function flowView({ edges, sources }: Pick<RunFlow, "edges" | "sources">, { standOf }: FlowGround): FlowView {
  const outside = new Set(sources.map(({ source_id }) => source_id));
  const lanes = new Map<string, FlowStand & { edges: FlowEdge[] }>();
  for (const edge of edges) {
    const from = outside.has(edge.from) ? edge.from : standOf(edge.from);
    const to = standOf(edge.to);
    if (from === undefined || to === undefined || from === to) continue;
    const key = `${from} ${to}`;
    const lane = lanes.get(key) ?? { from, to, cards: 0, tokens: 0, edges: [] };
    lanes.set(key, lane);
    lane.cards += edge.cards;
    lane.tokens += edge.tokens;
    lane.edges.push(edge);
  }
  const drawn = [...lanes.values()].sort((a, b) => b.tokens - a.tokens);
  const named = new Set(drawn.map(({ from }) => from));
  return { lanes: drawn, sources: sources.filter(({ source_id }) => named.has(source_id)) };
}

/** The heaviest, and all of the selected wagon. */
export function lanesToDraw(view: FlowView, selectedId: string | null): readonly FlowStand[] {
  const { lanes } = view;
  return lanes.filter((lane, at) => at < LANES_DRAWN || lane.from === selectedId || lane.to === selectedId);
}

export const isEdge = (lane: { from: string; to: string }, edge: { from: string; to: string } | null): boolean =>
  edge !== null && lane.from === edge.from && lane.to === edge.to;

/** Logarithmic: a lane of 40,000 tokens is not ten thousand times as wide as one of four. */
export const laneWidth = (tokens: number): number =>
  Math.round(Math.min(14, 1.25 + 2.1 * Math.log10(1 + Math.max(0, tokens) / 60)) * 100) / 100;
