// Where idle time is cut from the axis, and how much.
import { LABELS, positionOf, type TimeScale } from "./timeline-scale";

/** What "18 h idle" takes. */
const WORDS_PX = 48;

export function Breaks({ scale, plot }: { scale: TimeScale; plot: number }) {
  const breaks = (scale.breaks ?? []).map((idle) => ({ ...idle, left: LABELS + positionOf(idle.from, scale, plot) }));
  return breaks.map(({ from, to, left }, i) => {
    const isTight = [breaks[i - 1], breaks[i + 1]].some((beside) => beside && Math.abs(beside.left - left) < WORDS_PX);
    return (
      <span
        key={from}
        className="timeline-break"
        role="img"
        aria-label={`${idleWords(to - from)} idle`}
        style={{ left }}
      >
        <b title={`Nothing happened for ${idleWords(to - from)}. It is cut from the axis.`}>
          {idleWords(to - from)}
          {isTight ? "" : " idle"}
        </b>
      </span>
    );
  });
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
