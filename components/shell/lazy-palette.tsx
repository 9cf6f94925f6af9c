"use client";

// Fetches the palette when the page has nothing better to do, so that it is neither in the first load nor late.
import { useEffect, useState } from "react";
import { useCommandPalette, useIsPaletteOpen } from "@/components/ui/commands";
import { Dialog } from "@/components/ui/dialog";
import { MissingPart } from "@/components/ui/missing-part";
import { usePart } from "@/components/ui/use-part";

const load = () => import("./command-palette").then((module) => module.CommandPalette);

export function LazyPalette({ scope }: { scope?: string }) {
  const isOpen = useIsPaletteOpen();
  const [isResting, setIsResting] = useState(false);
  useEffect(() => {
    // Safari has no requestIdleCallback.
    const timer = setTimeout(() => setIsResting(true), 1500);
    return () => clearTimeout(timer);
  }, []);
  const { Component, isMissing } = usePart(load, isOpen || isResting);
  if (isMissing && isOpen) return <PaletteMissing />;
  if (Component === null) return null;
  return <Component scope={scope} />;
}

function PaletteMissing() {
  const palette = useCommandPalette();
  return (
    <Dialog
      isOpen
      title="Search or run"
      width={480}
      onOpenChange={(isOpen) => {
        if (!isOpen) palette.close();
      }}
    >
      <MissingPart title="Search could not be loaded" />
    </Dialog>
  );
}
