// The figures of a gauge in words, the same in wagons, lists, heads and to a screen reader.
import { formatCompact, formatNumber } from "@/components/ui/format";
import { type Gauge, gaugePercent } from "@/server/contract/tokens";

export const figureWords: Record<Gauge["figure"], string> = { sent: "Last request", fullest: "Fullest request" };

/** "45 percent of window", or "12,300 tokens sent, window unknown". */
export function spokenGauge(gauge: Gauge): string {
  const percent = gaugePercent(gauge);
  return percent === null
    ? `${formatNumber(gauge.tokens)} tokens sent, window unknown`
    : `${percent} percent of window`;
}

/** "Fullest request: estimated 12,300 of 16,000 tokens"; with `held`, why the bar beside it ends elsewhere. */
export function gaugeTitle({ figure, tokens, window }: Gauge, held?: number): string {
  const of = window === null ? "tokens, window unknown" : `of ${formatNumber(window)} tokens`;
  const bar =
    held === undefined
      ? ""
      : `. Bar: ${formatNumber(held)} tokens held by its boxes. Needle: the request, with prompt and tools`;
  return `${figureWords[figure]}: estimated ${formatNumber(tokens)} ${of}${bar}`;
}

/** "12.3k of 16k, 77%". */
export function gaugeShort(gauge: Gauge): string {
  const { tokens, window } = gauge;
  if (window === null) return `${formatCompact(tokens)}, window unknown`;
  return `${formatCompact(tokens)} of ${formatCompact(window)}, ${gaugePercent(gauge)}%`;
}
