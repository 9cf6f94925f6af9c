// The gate of the join: every lane's track runs into it, each has its lamp, and what has passed leads on to the parent.
import { Aspect } from "@/components/ui/aspect";
import { cn } from "@/components/ui/cn";
import { track } from "@/components/ui/track";
import type { Branch } from "@/server/contract/batch-sheet";
import { isOut, laneAspect, laneOf } from "./batch-words";

export type JoinGateProps = {
  /** In the order of the rows. */
  branches: readonly Branch[];
  rowHeight: number;
  /** While the join waits, the tracks behind the gate are reserved and not travelled. */
  isOpen: boolean;
  chosen: number | null;
};

const width = 94;
const gateLeft = 30;
const gateWidth = 26;
const trunk = 74;

export function JoinGate({ branches, rowHeight, isOpen, chosen }: JoinGateProps) {
  const height = branches.length * rowHeight;
  const middle = height / 2;
  const lanes = branches.map((branch, place) => ({ branch, lane: laneOf(branch), y: (place + 0.5) * rowHeight }));
  const inset = Math.min(12, rowHeight / 4);
  return (
    <div className="board-gate" style={{ height }} aria-hidden>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} fill="none" aria-hidden="true">
        {lanes.map(({ branch, lane, y }) => {
          const isBad = lane === "failed" || lane === "timeout" || lane === "canceled";
          const hasPassed = !isOut(lane) && !isBad;
          const isRoute = branch.task_index === chosen;
          return (
            <g key={branch.batch_task_id}>
              <path
                className={cn("gate-track", isOut(lane) && "is-reserved", isRoute && "is-route")}
                d={`M2 ${y}H${isBad ? gateLeft - 10 : gateLeft}`}
              />
              {hasPassed ? <path className="gate-chevron" d={`M14 ${y - 4}l5 4-5 4`} /> : null}
              {isBad ? (
                <path
                  className={cn("gate-buffer", `is-${lane}`)}
                  d={`M${gateLeft - 9} ${y - 7}v14M${gateLeft - 5} ${y - 5}v10`}
                />
              ) : null}
              <path
                className={cn(
                  "gate-track",
                  (isOpen || !hasPassed) && "is-reserved",
                  isRoute && hasPassed && "is-route",
                )}
                d={track(
                  [
                    [gateLeft + gateWidth, y],
                    [trunk, y],
                    [trunk, middle],
                    [width, middle],
                  ],
                  10,
                )}
              />
            </g>
          );
        })}
        <rect
          className="gate-frame"
          x={gateLeft}
          y={inset}
          width={gateWidth}
          height={Math.max(0, height - 2 * inset)}
          rx={5}
        />
        <path className="gate-chevron" d={`M${width - 7} ${middle - 4}l5 4-5 4`} />
      </svg>
      {lanes.map(({ branch, lane, y }) => (
        <span key={branch.batch_task_id} style={{ top: y - 9 }}>
          <Aspect status={laneAspect(lane)} size={18} label={null} />
        </span>
      ))}
    </div>
  );
}
