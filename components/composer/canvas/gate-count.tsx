"use client";

// How many have arrived at the gate of a fork that runs, of how many it needs: "1/3", as in the yard.
import { memo } from "react";
import { gateBox, gateX } from "@/components/ground/geometry";
import type { SeatedStop } from "@/components/ground/seat-stops";
import type { Detail } from "@/components/ground/viewport";
import { KindMark } from "@/components/ui/kind-mark";
import { useLivePlace } from "../composer-context";
import { arrivedWords } from "../live/gate-words";

export const GateCount = memo(function GateCount({
  id,
  fork,
  detail,
}: {
  id: string;
  fork: SeatedStop;
  detail: Detail;
}) {
  const live = useLivePlace(id);
  if (!live?.gate || live.isOpen || live.status === "skipped" || detail === "chip" || detail === "block") return null;
  const { arrived, needed, tasks } = live.gate;
  return (
    <span
      role="img"
      className="gate-count"
      data-gate-count={id}
      aria-label={arrivedWords(live.gate)}
      title={arrivedWords(live.gate)}
      style={{
        transform: `translate(${gateX(fork)}px, ${gateBox(fork).y - 26}px) translateX(-50%) scale(var(--keep, 1))`,
      }}
    >
      <KindMark kind="join" size={14} label={null} />
      <b>{arrived}</b>
      <span className="text-ink-3">/{needed}</span>
      {needed === tasks ? null : <span className="whitespace-nowrap text-ink-3">of {tasks}</span>}
    </span>
  );
});
