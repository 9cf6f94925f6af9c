// Examples for the legend, drawn with the classes and marks of the yard.
import { AgentMark } from "@/components/ui/agent-mark";
import { Aspect } from "@/components/ui/aspect";
import { Consist } from "@/components/ui/consist";
import { Plate } from "@/components/ui/plate";
import type { TrackLook } from "@/components/ui/sign-words";

export const sampleCards = [
  { role: "system", tokens: 900 },
  { role: "user", tokens: 1_400 },
  { role: "assistant", tokens: 700 },
  { role: "tool", tokens: 2_000 },
] as const;

/** A whole wagon, as it stands in the yard. */
export function SampleWagon() {
  return (
    <figure className="flex flex-wrap items-center gap-x-5 gap-y-2">
      <span aria-hidden className="relative block h-16 w-[236px] flex-none">
        <span className="wagon" data-detail="full" data-status="running">
          <span className="wagon-marks">
            <Aspect status="running" size={15} label={null} />
            <AgentMark agentId="legend" profile="Searcher" size={16} />
          </span>
          <span className="wagon-lines">
            <span className="flex items-center gap-1.5">
              <b className="flex-1 truncate font-semibold">Searcher</b>
              <Plate code="2S04" />
              <span className="text-ink-3 text-note">3m 11s</span>
            </span>
            <span className="flex items-center gap-1.5">
              <span className="flex-1 truncate">Reading three sources</span>
              <span className="text-[11px] text-ink-3">70%</span>
            </span>
          </span>
          <Consist cards={sampleCards} window={8_000} mark={5_600} />
        </span>
      </span>
      <figcaption className="min-w-0 flex-1 basis-52 text-ink-2">
        A wagon is one turn: lamp and agent mark at the left, the agent's name, headcode and time, below them what it
        does and how full its window is, and the bar of its cards.
      </figcaption>
    </figure>
  );
}

/** A wagon too small for words. */
export function WagonSign() {
  return (
    <span className="flex h-4 w-9 flex-col justify-between rounded-t-2 border border-line-2 border-b-0 bg-sheet">
      <span className="grid flex-1 place-items-center">
        <Aspect status="success" size={9} label={null} />
      </span>
      <Consist cards={sampleCards} height={3} />
    </span>
  );
}

/** A wagon that holds several: two more stand behind it. */
export function FoldedSign() {
  return (
    <span className="relative block h-5 w-11">
      {[6, 3, 0].map((shift) => (
        <span
          key={shift}
          className="absolute h-4 w-9 rounded-t-2 border border-line-2 bg-sheet"
          style={{ left: shift, bottom: shift / 2 }}
        />
      ))}
      <span className="absolute bottom-0 left-0 flex h-4 w-9 items-center justify-center gap-1 text-[10px]">
        <Aspect status="success" size={9} label={null} />
        <b>×9</b>
      </span>
    </span>
  );
}

const classes: Record<TrackLook, string> = {
  travelled: "track",
  reserved: "track track-reserved",
  occupied: "track track-occupied",
  inferred: "track track-inferred",
  buffer: "track",
  "red buffer": "track",
};

export function TrackSign({ look, width = 56 }: { look: TrackLook; width?: number }) {
  const stop = look === "buffer" || look === "red buffer";
  const end = stop ? width - 6 : width;
  return (
    <svg aria-hidden="true" width={width} height={16} fill="none">
      <path className={classes[look]} d={`M0 8H${end}`} />
      {look === "travelled" ? <path className="track-chevrons" d={`M${end / 2} 4l4 4-4 4`} /> : null}
      {stop ? (
        <path
          className="track-buffers"
          data-look={look === "buffer" ? undefined : "red"}
          d={`M${end} 3v10M${end + 4} 5v6`}
        />
      ) : null}
    </svg>
  );
}
