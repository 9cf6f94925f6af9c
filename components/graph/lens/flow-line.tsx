"use client";

// One line of the context flow as a row: from whom, to whom, how many cards and tokens. It selects the line.
import { personName } from "@/components/domain/agent-names";
import { formatCompact, formatCount, formatNumber } from "@/components/ui/format";
import { Plate } from "@/components/ui/plate";
import { turnLabel } from "../turn-words";
import { useYard } from "../yard-context";
import type { FlowStand, FlowView } from "./flow-view";
import { endName } from "./flow-words";

type LineProps = {
  lane: Omit<FlowStand, "edges">;
  sources: FlowView["sources"];
  /** The end whose name is written beside the codes: the other one is known. */
  named?: "from" | "to";
};

export function FlowLine({ lane, sources, named = "from" }: LineProps) {
  const { setEdge } = useYard();
  const [from, to] = useEndNames([lane.from, lane.to], sources);
  const words = `${from?.code} ${from?.words} to ${to?.code} ${to?.words}, ${formatCount(lane.cards, "card")}, ${formatNumber(lane.tokens)} tokens`;
  return (
    <button
      type="button"
      className="flow-line"
      aria-label={words}
      onClick={() => setEdge({ from: lane.from, to: lane.to })}
    >
      <Plate code={from?.code ?? ""} title={from?.words} />
      <span aria-hidden>→</span>
      <Plate code={to?.code ?? ""} title={to?.words} />
      <span dir="auto" className="min-w-0 flex-1 truncate text-ink-3">
        {named === "from" ? from?.words : to?.words}
      </span>
      <span className="text-ink-3">{formatCount(lane.cards, "card")}</span>
      <b>{formatCompact(lane.tokens)}</b>
    </button>
  );
}

export function useEndNames(ids: readonly string[], sources: FlowView["sources"]) {
  const { live, model } = useYard();
  const { turn: turns } = live.getPicture();
  return ids.map((id) =>
    endName(id, {
      turns,
      folds: model.getFolds(),
      sources,
      labelOf: (turn) => (turn.is_human ? personName(turn.agent_id) : turnLabel(turn)),
    }),
  );
}
