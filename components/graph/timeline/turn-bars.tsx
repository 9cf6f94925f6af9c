// The bars of a row: one turn, or those of an agent one after the other. What would be narrower than a pixel beside another is not drawn.
import { Aspect, aspectInk } from "@/components/ui/aspect";
import type { TurnFrame } from "@/server/contract/frame";
import type { Span } from "@/server/contract/spans";
import { isEnded } from "@/server/contract/turn";
import { drawnOf, reachOf, type TimelineRow } from "./agent-rows";
import { busyOf, freeWaits } from "./free-waits";
import { drawnBars, LABELS, positionOf, type TimeScale } from "./timeline-scale";

export type TurnBarsProps = {
  row: TimelineRow;
  /** `order`: its place, for logs without times. */
  barsOfTurn: (turn: TurnFrame, order: number) => readonly Span[];
  selectedId: string | undefined;
  scale: TimeScale;
  plot: number;
  now: number;
};

export function TurnBars({ row, barsOfTurn, selectedId, scale, plot, now }: TurnBarsProps) {
  const endOf = (turn: TurnFrame, at: number) =>
    positionOf(reachOf(turn, row.orders[at] ?? 0, scale, now).to, scale, plot);
  const busy = row.turns.length === 1 ? [] : busyOf(row, now);
  return drawnOf(row, selectedId, endOf).map(({ turn, order }) => (
    <Bars
      key={turn.agent_turn_id}
      turn={turn}
      bars={freeWaits(barsOfTurn(turn, order), busy)}
      isAlone={row.turns.length === 1}
      isSelected={turn.agent_turn_id === selectedId}
      scale={scale}
      plot={plot}
    />
  ));
}

type BarsProps = { turn: TurnFrame; bars: readonly Span[]; isAlone: boolean; isSelected: boolean } & Pick<
  TurnBarsProps,
  "scale" | "plot"
>;

function Bars({ turn, bars, isAlone, isSelected, scale, plot }: BarsProps) {
  const x = (at: number) => LABELS + positionOf(at, scale, plot);
  // A turn that ended as it was made has no bar at all.
  const end = bars.at(-1)?.to ?? Date.parse(turn.created_at);
  const isEndSeen = end >= scale.from && end <= scale.to;
  return (
    <span aria-hidden className={aspectInk[turn.status]} title={isAlone ? undefined : turn.headcode}>
      {drawnBars(bars, scale, plot).map(({ from, to, kind }) => (
        <i
          key={`${kind} ${from}`}
          className="timeline-bar"
          data-kind={kind}
          data-selected={isSelected && kind !== "wait" && kind !== "queue" ? "" : undefined}
          style={{ left: x(from) + 0.5, width: Math.max(1.5, x(to) - x(from) - 1) }}
        />
      ))}
      {isEnded(turn.status) && isEndSeen && (isAlone || turn.status !== "success") ? (
        <span className="absolute top-[1.5px]" style={{ left: x(end) + (isAlone ? 4 : -5) }}>
          <Aspect status={turn.status} size={10} label={null} />
        </span>
      ) : null}
    </span>
  );
}
