"use client";

// The signal in front of a step that a person must let start: its arm is down until the step is held, and then it asks.
import { memo, useState } from "react";
import { columnX, FRAME_PASS, leftOf, trackY } from "@/components/ground/geometry";
import type { SeatedStop } from "@/components/ground/seat-stops";
import { slotOf } from "@/components/ground/stop";
import type { Detail } from "@/components/ground/viewport";
import { HoldSign } from "@/components/ui/hold-sign";
import { lazyPart } from "@/components/ui/lazy-part";
import { plainWords } from "@/components/ui/plain-words";
import { middleLane } from "@/server/contract/lanes";
import { useStep } from "../use-step";
import { useYard } from "../yard-context";
import type { HoldPopoverProps } from "./hold-popover";

const HoldPopover = lazyPart<HoldPopoverProps>(() => import("./hold-popover").then((module) => module.HoldPopover), {
  missing: "The decision could not be loaded",
  waiting: ({ trigger }) => trigger,
});

export type HoldSignalProps = { stop: SeatedStop; parent: string; detail: Detail };

export const HoldSignal = memo(function HoldSignal({ stop, parent, detail }: HoldSignalProps) {
  const { projectId, select } = useYard();
  const step = useStep(stop.id);
  const [isOpen, setIsOpen] = useState(false);
  const isHeld = step?.node.status === "held" && step.node.request_id !== undefined;
  if (!step || (!isHeld && !(step.graph.hold && step.node.status === "waiting"))) return null;
  const isFork = stop.kind === "fork";
  const x = isFork ? columnX(stop.col) - FRAME_PASS : leftOf(stop);
  const y = trackY(isFork ? stop.row + middleLane(stop.rows) : stop.row);
  const title = plainWords(step.graph.title);
  const button = (
    <button
      type="button"
      className="hold-signal nopan nodrag"
      data-open={isHeld ? "" : undefined}
      data-detail={detail}
      // What is not held yet is read at its wagon.
      tabIndex={isHeld ? 0 : -1}
      aria-label={isHeld ? `Decide about ${title}: ${step.words}` : `${title} will be held`}
      title={isHeld ? step.words : "A person lets this step start"}
      style={{ transform: `translate(${x - 30}px, ${y - 44}px)` }}
      onClick={() => (isHeld ? setIsOpen(true) : select(slotOf(stop, 0)))}
    >
      <span>hold</span>
      <HoldSign />
    </button>
  );
  if (!isOpen || step.node.request_id === undefined) return button;
  return (
    <HoldPopover
      {...{ projectId, title, parent_turn_id: parent, request_id: step.node.request_id }}
      trigger={button}
      onClose={() => setIsOpen(false)}
    />
  );
});
