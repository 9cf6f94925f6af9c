"use client";

// A link to a run and a turn that is not in it: the run was shown as if the link named no turn. Said only of what a link named, and only
// when it has stayed away for a while: of a turn that was launched a moment ago, the frame is still on its way.
import { type RefObject, useEffect, useState } from "react";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";

const WAIT_MS = 2_000;

export type AbsentTurnProps = {
  /** The turn that is named and not there; null = there is none such, or it is not known yet. */
  absent: string | null;
  /** What was chosen in this window: such a turn was there. */
  chosen: RefObject<string | null>;
  isOneRun: boolean;
  onLeave: () => void;
};

export function AbsentTurn({ absent, chosen, isOneRun, onLeave }: AbsentTurnProps) {
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    if (absent === null) return;
    const timer = setTimeout(() => {
      if (chosen.current !== absent) setSaid(absent);
    }, WAIT_MS);
    return () => clearTimeout(timer);
  }, [absent, chosen]);
  if (absent === null || said !== absent) return null;
  return (
    <Banner
      tone="warn"
      title="Turn not found"
      action={
        <Button size="sm" onClick={onLeave}>
          Show the run
        </Button>
      }
    >
      {isOneRun
        ? "This run has no such turn. It was deleted, or it belongs to another run."
        : "This project has no such turn. It was deleted, or the link is for another project."}
    </Banner>
  );
}
