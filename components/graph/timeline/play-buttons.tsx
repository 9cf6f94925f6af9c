"use client";

// Playback as three buttons beside the axis, where a recorder has them.
import { IconButton } from "@/components/ui/icon-button";
import type { Playback } from "./use-playback";

/** To the beginning, play, to the end. */
export function PlayButtons({ playback }: { playback: Playback }) {
  const { isPlaying, toggle, toStart, toEnd } = playback;
  return (
    <fieldset className="timeline-play" aria-label="Playback">
      <IconButton icon="back" label="To the beginning" size="sm" iconSize={14} onClick={toStart} />
      <IconButton
        icon={isPlaying ? "pause" : "play"}
        label={isPlaying ? "Stop playing" : "Play"}
        size="sm"
        iconSize={14}
        onClick={toggle}
      />
      <IconButton icon="step" label="To the end" size="sm" iconSize={14} onClick={toEnd} />
    </fieldset>
  );
}
