// A box drawn to scale: its cards in order, width = tokens, against the window, with a notch where it gets tight. What it draws
// is what boxes hold; a needle may mark what a request of them weighs.
import { memo } from "react";
import { type ConsistCard, toSegments, totalTokens } from "./consist-segments";
import { formatNumber } from "./format";

export type ConsistProps = {
  cards: readonly ConsistCard[];
  /** Tokens the full width stands for; without it the box fills its own width. */
  window?: number | null;
  /** Where the needle stands, in tokens; without a window there is none. */
  mark?: number | null;
  height?: number;
  /** Where the notch stands, in percent of the window. `null` draws none; without a window there is none. */
  notch?: number | null;
  className?: string;
  label?: string;
  /** Under the pointer; defaults to the label. */
  title?: string;
};

export const Consist = memo(function Consist({
  cards,
  window,
  mark = null,
  height = 6,
  notch = 80,
  className = "",
  label,
  title,
}: ConsistProps) {
  const total = totalTokens(cards);
  const scale = Math.max(window ?? total, total, window ? (mark ?? 0) : 0);
  const text = window
    ? `${formatNumber(total)} tokens held, window ${formatNumber(window)}`
    : `${formatNumber(total)} tokens held`;
  return (
    <span
      className={`consist ${className}`}
      style={{ height }}
      role="img"
      aria-label={label ?? text}
      title={title ?? label ?? text}
    >
      {/* Past its window a box would be cut off unseen, so the bar then stands for the box and the notch moves left. */}
      {toSegments(cards, scale).map((segment, position) => (
        <i
          // biome-ignore lint/suspicious/noArrayIndexKey: a segment is its position, and nothing is kept in it.
          key={position}
          className="role-fill"
          data-role={segment.role}
          data-faded={segment.faded || undefined}
          style={{ width: `${segment.percent.toFixed(3)}%` }}
        />
      ))}
      {window && notch !== null ? <b style={{ left: `${(notch * window) / scale}%` }} /> : null}
      {window && mark !== null ? <u style={{ left: `${((100 * mark) / scale).toFixed(3)}%` }} /> : null}
    </span>
  );
});
