"use client";

// The legend of the drawing's signs, fetched when it is asked for.
import { useState } from "react";
import { Dialog } from "@/components/ui/dialog";
import { IconButton } from "@/components/ui/icon-button";
import { lazyPart } from "@/components/ui/lazy-part";
import { SkeletonRows } from "@/components/ui/skeleton";

const LegendSheet = lazyPart<object>(() => import("./legend-sheet").then((module) => module.LegendSheet), {
  missing: "The legend could not be loaded",
  waiting: () => <SkeletonRows count={8} rowHeight={32} label="Opening the legend" />,
});

export function LegendButton() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <IconButton icon="help" label="Legend" iconSize={15} onClick={() => setIsOpen(true)} />
      <Dialog
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        title="Legend"
        description="What you see in a plan. All keys: press ?"
        width={760}
        isReading
      >
        <LegendSheet />
      </Dialog>
    </>
  );
}
