// Where idle time is cut from the axis, and how much.
import { LABELS, positionOf, type TimeScale } from "./timeline-scale";

export function Breaks({ scale, plot }: { scale: TimeScale; plot: number }) {
  return (scale.breaks ?? []).map(({ from, to }) => (
    <span
      key={from}
      className="timeline-break"
      role="img"
      aria-label={`${idleWords(to - from)} idle`}
      style={{ left: LABELS + positionOf(from, scale, plot) }}
    >
      <b title={`Nothing happened for ${idleWords(to - from)}. It is cut from the axis.`}>
        {idleWords(to - from)}
        <br />
        idle
      </b>
    </span>
  ));
}

/** In one unit, as there is room for four signs: "18 h". */
function idleWords(ms: number): string {
  const units = [
    [86_400_000, "d"],
    [3_600_000, "h"],
    [60_000, "m"],
  ] as const;
  // From two of a unit on: "90 m" says more than "2 h".
  const unit = units.find(([size]) => ms >= 2 * size);
  return unit ? `${Math.round(ms / unit[0])} ${unit[1]}` : `${Math.round(ms / 1000)} s`;
}
