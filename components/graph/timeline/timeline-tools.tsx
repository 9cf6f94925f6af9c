"use client";

// What the tones of a bar are, and what the timeline can do: rows by turn or by agent, pace, idle time, and a part of it.
import { useQueryStates } from "nuqs";
import { formatCount, formatNumber } from "@/components/ui/format";
import { Segmented } from "@/components/ui/segmented";
import { useYard } from "../yard-context";
import { yardParams } from "../yard-url";
import { type Pace, paces } from "./playback";
import type { Playback } from "./use-playback";

export type TimelineToolsProps = {
  isTimed: boolean;
  /** Breaks that are drawn. */
  cut: number;
  hasIdle: boolean;
  isUnfolded: boolean;
  onUnfold: (isUnfolded: boolean) => void;
  /** Turns of the part, where one is chosen. */
  shown: { in: number; of: number } | null;
  /** Null where no moment can be shown. */
  playback: Playback | null;
};

export function TimelineTools({ isTimed, cut, hasIdle, isUnfolded, onUnfold, shown, playback }: TimelineToolsProps) {
  const { ways, isThen } = useYard();
  const [{ rows, from, to }, setParams] = useQueryStates(yardParams);
  const begin = () => {
    const { at } = ways.time.getState();
    if (at !== null) void setParams({ from: new Date(at), to: to !== null && to.getTime() > at ? to : new Date() });
  };
  const finish = () => {
    const { at } = ways.time.getState();
    if (at !== null)
      void setParams({ to: new Date(at), from: from !== null && from.getTime() < at ? from : new Date(0) });
  };
  return (
    <div className="timeline-tools">
      {isTimed ? <Legend /> : <span>in order, no times</span>}
      <span className="flex-1" />
      {shown === null ? null : (
        <>
          <span role="status">
            {formatNumber(shown.in)} of {formatCount(shown.of, "turn")}
          </span>
          <button type="button" onClick={() => void setParams({ from: null, to: null })}>
            Whole run
          </button>
        </>
      )}
      {playback !== null && isThen ? (
        <>
          <button type="button" onClick={begin} title="Show only what is after this moment">
            From here
          </button>
          <button type="button" onClick={finish} title="Show only what is before this moment">
            Until here
          </button>
        </>
      ) : null}
      {isTimed && hasIdle ? (
        <button
          type="button"
          aria-pressed={!isUnfolded}
          title={isUnfolded ? "Cut the time in which nothing happened" : `${formatCount(cut, "break")} in the axis`}
          onClick={() => onUnfold(!isUnfolded)}
        >
          Fold idle time
        </button>
      ) : null}
      {playback === null ? null : (
        <select
          aria-label="Pace"
          value={playback.pace}
          onChange={(event) => {
            const pace = paces.find((one) => one === event.target.value);
            if (pace) playback.setPace(pace);
          }}
        >
          {paces.map((pace) => (
            <option key={pace} value={pace}>
              {paceWords[pace]}
            </option>
          ))}
        </select>
      )}
      <Segmented
        label="Rows of the timeline"
        value={rows ?? "turns"}
        onChange={(next) => void setParams({ rows: next === "agents" ? "agents" : null })}
        choices={[
          { value: "turns", label: "Turns" },
          { value: "agents", label: "Agents" },
        ]}
      />
    </div>
  );
}

const paceWords: Record<Pace, string> = { "1": "1×", "4": "4×", "16": "16×", "64": "64×", event: "By event" };

/** Its rows say the same in words. */
function Legend() {
  return (
    <span aria-hidden className="timeline-legend">
      {(["model", "tool", "wait", "queue"] as const).map((kind) => (
        <span key={kind}>
          <i data-kind={kind} />
          {kindWords[kind]}
        </span>
      ))}
    </span>
  );
}

const kindWords = { model: "model", tool: "tool", wait: "waiting", queue: "queue" };
