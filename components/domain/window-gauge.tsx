// How full a model's window is: the estimate, the window, and what the provider reported, in the same words everywhere. The bar
// shows what the boxes hold; its needle stands at the estimate.
import type { ReactNode } from "react";
import { Consist } from "@/components/ui/consist";
import type { ConsistCard } from "@/components/ui/consist-segments";
import { formatNumber } from "@/components/ui/format";
import { type Gauge, gaugePercent, TIGHT_PERCENT } from "@/server/contract/tokens";
import { figureWords } from "./gauge-words";

export type WindowGaugeProps = {
  gauge: Gauge | null;
  /** Of its model, for a turn that has sent no request; null or absent = unknown. */
  window?: number | null;
  /** Beside the name of the figure: "step 3". */
  of?: string;
  reported?: number;
  /** What the boxes hold, drawn under it. */
  cards: readonly ConsistCard[];
  held: number;
  /** False for turns that never send a request: a person's, an import's. */
  isAsked?: boolean;
  /** The step and what was reported of it are on their way: their room is kept. */
  isLoading?: boolean;
  height?: number;
};

export function WindowGauge(props: WindowGaugeProps) {
  const { gauge, window = null, of, reported, cards, held, isAsked = true, isLoading = false, height = 10 } = props;
  return (
    <div data-gauge={gauge?.tokens}>
      {gauge === null && !isAsked ? null : (
        <p className="mb-[5px] flex flex-wrap items-baseline gap-x-2">
          <span className="text-ink-3">
            {gauge === null ? "No request recorded" : figureWords[gauge.figure]}
            {gauge === null || of === undefined ? "" : `, ${of}`}
            {gauge !== null && isLoading ? <Room>, step 0</Room> : null}
          </span>
          <span className="flex-1" />
          {gauge === null ? null : <GaugeWords gauge={gauge} reported={reported} isLoading={isLoading} />}
        </p>
      )}
      <Consist
        cards={cards}
        window={gauge === null ? window : gauge.window}
        mark={gauge?.tokens ?? null}
        height={height}
        label={`Held: ${formatNumber(held)} tokens, without prompt and tools`}
      />
      <p className="mt-1 text-ink-3 text-note">Bar: {formatNumber(held)} tokens held, without prompt and tools</p>
    </div>
  );
}

/** Keeps the width of words to come, so that the line breaks where it will. */
function Room({ children }: { children: ReactNode }) {
  return (
    <span aria-hidden className="invisible">
      {children}
    </span>
  );
}

/** "estimated 12,300 of 16,000, 77% · reported 13,950, 87%": each part of the window stands beside the figure it is of. */
function GaugeWords({
  gauge,
  reported,
  isLoading,
}: Pick<WindowGaugeProps, "reported" | "isLoading"> & { gauge: Gauge }) {
  const { tokens, window } = gauge;
  const part = (sum: number) => {
    const percent = gaugePercent({ ...gauge, tokens: sum });
    return percent !== null && percent >= TIGHT_PERCENT ? `, ${percent}%` : "";
  };
  return (
    <span className="whitespace-nowrap">
      <span className="text-ink-3">estimated</span> <b className="font-[650]">{formatNumber(tokens)}</b>{" "}
      <span className="text-ink-3">
        {window === null ? "tokens, window unknown" : `of ${formatNumber(window)}${part(tokens)}`}
        {reported === undefined ? "" : ` · reported ${formatNumber(reported)}${part(reported)}`}
        {isLoading ? <Room> · reported {formatNumber(tokens)}</Room> : null}
      </span>
    </span>
  );
}
