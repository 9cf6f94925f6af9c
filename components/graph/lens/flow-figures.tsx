"use client";

// The context flow in one line at the upper left: what a line's weight means, and how much was handed over.
import { formatCompact, formatCount, formatNumber } from "@/components/ui/format";
import { useYard } from "../yard-context";
import { LANES_DRAWN } from "./flow-view";
import { THEN_WORDS, useFlow, useFlowView, useRootTurn } from "./use-flow";

export function FlowFigures() {
  const { isThen } = useYard();
  const { flow, error } = useFlow();
  const { lanes } = useFlowView(flow);
  const rootTurnId = useRootTurn();
  return (
    <fieldset className="yard-float yard-stats" aria-label="Context flow figures">
      <span className="px-1 text-ink-2">Line weight is tokens carried</span>
      <i aria-hidden className="mx-1 h-3.5 w-px bg-line-2" />
      <span className="px-1 text-ink-2" role="status">
        {rootTurnId === undefined
          ? "Choose one run, or a turn of it, to see its context flow"
          : error !== null
            ? `The context flow could not be read: ${error}`
            : flow === undefined
              ? "Reading"
              : isThen
                ? THEN_WORDS
                : `${formatCompact(flow.tokens)} tokens handed over`}
      </span>
      {lanes.length > LANES_DRAWN ? (
        <span className="px-1 text-ink-2">
          the {formatNumber(LANES_DRAWN)} heaviest of {formatCount(lanes.length, "line")} drawn
        </span>
      ) : null}
      {flow?.is_partial ? <span className="px-1 text-ink-2">of the newest turns</span> : null}
    </fieldset>
  );
}
