"use client";

// Time on a phone: from event to event, played, or drawn along a slider whose stops are the events. Its code comes with the first look.
import { useSyncExternalStore } from "react";
import { IconButton } from "@/components/ui/icon-button";
import { momentWords } from "../as-of/moment-words";
import { countUntil, stepped } from "../timeline/moments";
import { usePlayback } from "../timeline/use-playback";
import { useRunTime } from "../timeline/use-run-time";
import { useYard } from "../yard-context";
import "./phone-time.css";

export function PhoneTime() {
  const { ways, isThen } = useYard();
  const { time, settle } = ways;
  const { whole, idle, end, moments, canGoBack } = useRunTime(true);
  const { isPlaying, toggle } = usePlayback({
    ...{ moments, idle, from: whole.from, to: end, isWhole: true, begins: "event" },
  });
  const at = useSyncExternalStore(time.subscribe, () => time.getState().at, nothing) ?? end;
  if (!canGoBack) return <p className="phone-time text-ink-3">The run has no times to go back to.</p>;
  const count = isThen ? countUntil(moments, at) : moments.length;
  const step = (by: number) => settle(Math.max(whole.from, stepped(moments, at, by)));
  /** The last stop is now. */
  const momentOf = (stop: number) => (stop >= moments.length ? null : (moments[stop - 1] ?? whole.from));
  return (
    <fieldset className="phone-time" aria-label="Time">
      <IconButton icon="back" label="Previous event" size="touch" iconSize={18} onClick={() => step(-1)} />
      <IconButton
        icon={isPlaying ? "pause" : "play"}
        label={isPlaying ? "Stop playing" : "Play"}
        size="touch"
        iconSize={18}
        onClick={toggle}
      />
      <IconButton
        icon="step"
        label="Next event"
        size="touch"
        iconSize={18}
        disabled={!isThen}
        onClick={() => (count >= moments.length - 1 ? settle(null) : step(1))}
      />
      <input
        type="range"
        aria-label="Moment shown"
        aria-valuetext={`${isThen ? "" : "now, "}${momentWords(at)}, after ${count} of ${moments.length} events`}
        min={0}
        max={moments.length}
        value={count}
        onChange={(event) => {
          const next = momentOf(event.target.valueAsNumber);
          if (next === null) settle(null);
          else time.scrub(next);
        }}
        onPointerUp={() => settle(time.getState().at)}
        onKeyUp={() => settle(time.getState().at)}
      />
      <output>{isThen ? momentWords(at) : "now"}</output>
    </fieldset>
  );
}

const nothing = () => null;
