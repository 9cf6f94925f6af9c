"use client";

// What a batch says: its head on the frame, the count over its gate, wagons that are still to come, and where its caller
// goes on. All of it above the tracks, and out of the way of the wagons.
import { useStore, ViewportPortal } from "@xyflow/react";
import { memo } from "react";
import type { Block } from "@/components/ground/block";
import { gateBox, gateX, laneBerth } from "@/components/ground/geometry";
import type { SeatedStop } from "@/components/ground/seat-stops";
import { type Detail, detailAt } from "@/components/ground/viewport";
import { KindMark } from "@/components/ui/kind-mark";
import { gateWords } from "@/components/ui/sign-words";
import { isOfPlan } from "../plan/batch-view";
import { useBatch, useTopology } from "../yard-context";
import { BatchHead } from "./batch-head";
import { DrawnHead } from "./drawn-forks";
import { FoldedWagon } from "./folded-wagon";
import { GhostWagon } from "./ghost-wagon";
import { HoldSignal } from "./hold-signal";
import { ReturnBerth } from "./return-berth";

export function BatchLayer({ blocks, forks }: { blocks: readonly Block[]; forks: readonly SeatedStop[] }) {
  const detail = useStore((state) => detailAt(state.transform[2]));
  const { stops, plans } = useTopology();
  return (
    <ViewportPortal>
      {blocks.map((block) =>
        block.is_folded ? (
          <FoldedWagon key={block.id} block={block} detail={detail} />
        ) : (
          <OpenBatch key={block.id} block={block} detail={detail} />
        ),
      )}
      {forks.map((fork) => (
        <DrawnHead key={fork.id} fork={fork} detail={detail} />
      ))}
      {[...stops.values()]
        .filter(({ holder }) => holder === null)
        .map((stop) => (
          <HoldSignal key={stop.id} stop={stop} parent={plans.get(stop.plan_run_id)?.parent ?? ""} detail={detail} />
        ))}
    </ViewportPortal>
  );
}

const OpenBatch = memo(function OpenBatch({ block, detail }: { block: Block; detail: Detail }) {
  const view = useBatch(block.id);
  if (!view) return null;
  return (
    <>
      <BatchHead block={block} view={view} detail={detail} />
      {detail === "chip" ? null : (
        <span
          aria-hidden
          className="gate-count"
          title={`${view.counts.delivered} of ${view.batch.task_count} have arrived. ${gateWords}`}
          style={{
            transform: `translate(${gateX(block)}px, ${gateBox(block).y - 26}px) translateX(-50%)${detail === "steady" ? " scale(calc(1 / var(--zoom)))" : ""}`,
          }}
        >
          <KindMark kind="join" size={14} label={null} />
          <b>{view.counts.delivered}</b>
          <span className="text-ink-3">/{view.batch.task_count}</span>
        </span>
      )}
      {view.lanes.map((lane) =>
        lane.turn ? null : (
          <GhostWagon
            key={lane.index}
            lane={lane}
            batch={view.batch}
            berth={laneBerth(block, lane.index)}
            detail={detail}
          />
        ),
      )}
      {isOfPlan(view) ? null : <ReturnBerth block={block} view={view} detail={detail} />}
    </>
  );
});
