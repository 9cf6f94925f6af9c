"use client";

// Forks of plans that have not begun: the frame, its head and the gate stand where those of their batch will stand.
import { memo } from "react";
import { stepAspects } from "@/components/domain/step-aspects";
import { FRAME_HEAD, frameBox, gateBox, gateX, trackY } from "@/components/ground/geometry";
import type { SeatedStop } from "@/components/ground/seat-stops";
import type { Detail } from "@/components/ground/viewport";
import { Aspect } from "@/components/ui/aspect";
import { KindMark } from "@/components/ui/kind-mark";
import { plainWords } from "@/components/ui/plain-words";
import { useStep } from "../use-step";

/** Below the tracks, as those of batches. */
export function DrawnFrames({ forks }: { forks: readonly SeatedStop[] }) {
  return forks.map((fork) => {
    const { x, y, w, h } = frameBox(fork);
    return <rect key={fork.id} className="batch-frame" data-drawn="" x={x} y={y} width={w} height={h} rx={9} />;
  });
}

/** On the tracks: a lamp for each lane, all of them dark. */
export function DrawnGates({ forks }: { forks: readonly SeatedStop[] }) {
  return forks.map((fork) => {
    const { x, y, w, h } = gateBox(fork);
    return (
      <g key={fork.id}>
        <rect className="batch-gate" data-drawn="" x={x} y={y} width={w} height={h} rx={5} />
        {Array.from({ length: fork.rows }, (_, lane) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a lamp is its lane
          <g key={lane} transform={`translate(${gateX(fork) - 8} ${trackY(fork.row + lane) - 8})`}>
            <Aspect status="queued" size={16} label={null} />
          </g>
        ))}
      </g>
    );
  });
}

type DrawnHeadProps = { fork: SeatedStop; detail: Detail };

export const DrawnHead = memo(function DrawnHead({ fork, detail }: DrawnHeadProps) {
  const step = useStep(fork.id);
  if (!step) return null;
  const box = frameBox(fork);
  const words = step.graph.disabled ? "switched off" : step.words;
  const title = plainWords(step.graph.title);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would ask for a form
    <div
      role="group"
      aria-label={`${title}, fork of ${fork.lanes}, ${words}`}
      className="batch-head"
      data-step={fork.id}
      data-far={detail === "chip" ? "" : undefined}
      data-detail={detail}
      style={{ transform: `translate(${box.x}px, ${box.y}px)`, width: box.w, height: FRAME_HEAD }}
    >
      <span className="batch-head-line" title={words}>
        <KindMark kind="fork" size={15} label={null} />
        <b dir="auto" className="truncate">
          {title}
        </b>
        <span className="flex-1" />
        <Aspect status={stepAspects[step.node.status]} size={14} label={null} />
        <span dir="auto" className="min-w-0 truncate text-ink-2">
          {words}
        </span>
      </span>
    </div>
  );
});
