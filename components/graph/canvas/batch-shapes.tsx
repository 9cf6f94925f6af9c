"use client";

// The outline of a batch below its tracks, and the join gate on them: a lamp for each lane.
import { memo, useMemo } from "react";
import type { Block } from "@/components/ground/block";
import { frameBox, gateBox, gateX, trackY } from "@/components/ground/geometry";
import { Aspect } from "@/components/ui/aspect";
import type { AspectStatus } from "@/components/ui/sign-words";
import { gateWords, lampTitle } from "@/components/ui/sign-words";
import type { BatchView } from "../plan/batch-view";
import { worstOf } from "../plan/fold-view";
import { useBatch } from "../yard-context";

export function Frames({ blocks }: { blocks: readonly Block[] }) {
  return blocks.filter((block) => !block.is_folded).map((block) => <Frame key={block.id} block={block} />);
}

export function Gates({ blocks }: { blocks: readonly Block[] }) {
  return blocks.filter((block) => !block.is_folded).map((block) => <Gate key={block.id} block={block} />);
}

const Frame = memo(function Frame({ block }: { block: Block }) {
  const view = useBatch(block.id);
  const box = frameBox(block);
  return (
    <rect
      className="batch-frame"
      data-batch={block.id}
      data-status={view?.batch.status}
      x={box.x}
      y={box.y}
      width={box.w}
      height={box.h}
      rx={9}
    />
  );
});

const Gate = memo(function Gate({ block }: { block: Block }) {
  const view = useBatch(block.id);
  const box = gateBox(block);
  const x = gateX(block);
  const lamps = useMemo(() => (view ? lampsOf(view, block.rows) : []), [view, block.rows]);
  return (
    <g>
      <rect className="batch-gate" x={box.x} y={box.y} width={box.w} height={box.h} rx={5}>
        <title>{gateWords}</title>
      </rect>
      {lamps.map((status, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a lamp is its lane
        <g key={row} transform={`translate(${x - 8} ${trackY(block.row + row) - 8})`} className="gate-lamp">
          <title>{lampTitle(status)}</title>
          <Aspect key={status} status={status} size={16} label={null} />
        </g>
      ))}
    </g>
  );
});

/** A lane that several wagons share shows what is furthest from good. */
export function lampsOf({ lanes }: BatchView, rows: number): AspectStatus[] {
  const lamps: AspectStatus[] = [];
  for (const { index, status } of lanes) {
    const row = index % rows;
    const known = lamps[row];
    lamps[row] = known === undefined ? status : worstOf([known, status]);
  }
  return lamps;
}
