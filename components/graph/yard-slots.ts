// What the yard hands to the parts that app/ puts into it: other features, which it may not know.
import type { EdgeFrame, TurnFrame } from "@/server/contract/frame";
import type { LinkStatus } from "./live-picture";

/** What the inspector is given; it is another feature, so app/ puts it in. */
export type InspectorSlot = {
  projectId: string;
  turn: TurnFrame;
  /** How it was called for; absent for the first turn of a run. */
  edge: EdgeFrame | undefined;
  /** `sheet` on a phone. */
  variant: "panel" | "sheet";
  /** False for an import whose log had no clock. */
  hasTimes: boolean;
  /** When the picture stands still, the time it shows. */
  pausedAt: number | null;
  onSelect: (agentTurnId: string) => void;
  onClose: () => void;
};

export type ConnectionSlot = { status: LinkStatus; since: number };
