"use client";

// Packing a box by hand, over whatever is on the screen. Its code comes after the page's own.
import { Dialog } from "@/components/ui/dialog";
import { IconButton } from "@/components/ui/icon-button";
import { MissingPart } from "@/components/ui/missing-part";
import { SkeletonRows } from "@/components/ui/skeleton";
import { useIsSettled } from "@/components/ui/use-is-settled";
import { usePart } from "@/components/ui/use-part";
import { usePacking } from "./use-packing";

const load = () => import("./packer").then((module) => module.Packer);

export function PackDialog({ projectId }: { projectId: string }) {
  const packing = usePacking();
  const isSettled = useIsSettled();
  const isOpen = packing.isOpen && isSettled;
  const { Component: Packer, isMissing } = usePart(load, isOpen);
  return (
    <Dialog
      isBare
      isOpen={isOpen}
      onOpenChange={(isOpen) => {
        if (!isOpen) packing.close();
      }}
      title="Pack a box"
      width={1320}
      className="launch-dialog"
    >
      <header className="launch-head">
        {/* Read out as the dialog's name already. */}
        <b aria-hidden className="flex-none text-title">
          Pack a box
        </b>
        <span className="min-w-0 flex-1 truncate text-ink-2 max-sm:invisible">
          Put boxes and cards in order, read the receipt, then make the box. Nothing is launched.
        </span>
        <IconButton icon="x" label="Close" onClick={packing.close} />
      </header>
      {isMissing ? (
        <MissingPart title="The packing form could not be loaded" />
      ) : Packer === null ? (
        <SkeletonRows count={8} rowHeight={32} label="Opening the packing form" />
      ) : (
        <Packer projectId={projectId} packing={packing} />
      )}
    </Dialog>
  );
}
