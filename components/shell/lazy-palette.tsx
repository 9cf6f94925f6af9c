"use client";

// Fetches the palette when the page has nothing better to do, so that it is neither in the first load nor late.
import { useCallback, useEffect, useRef, useState } from "react";
import { useCommandPalette, useIsPaletteOpen } from "@/components/ui/commands";
import { Dialog } from "@/components/ui/dialog";
import { EarlyKeys } from "@/components/ui/early-keys";
import { MissingPart } from "@/components/ui/missing-part";
import { useIsAtRest } from "@/components/ui/use-is-at-rest";
import { usePart } from "@/components/ui/use-part";

const load = () => import("./command-palette").then((module) => module.CommandPalette);

export function LazyPalette({ scope }: { scope?: string }) {
  const isOpen = useIsPaletteOpen();
  const palette = useCommandPalette();
  const isAtRest = useIsAtRest();
  const { Component, isMissing } = usePart(load, isOpen || isAtRest);
  const [isShown, setIsShown] = useState(false);
  const typed = useRef("");
  useEffect(() => {
    // What was typed for one that was closed before it came is not the next one's.
    if (!isOpen) typed.current = "";
  }, [isOpen]);
  const take = useCallback(() => {
    const text = typed.current;
    typed.current = "";
    return text;
  }, []);
  if (isMissing && isOpen) return <PaletteMissing />;
  return (
    <>
      {isOpen && !isShown ? (
        <EarlyKeys
          onType={(change) => {
            typed.current = change(typed.current);
          }}
          onEscape={() => palette.close()}
        />
      ) : null}
      {Component === null ? null : <Component scope={scope} takeTyped={take} onShown={setIsShown} />}
    </>
  );
}

function PaletteMissing() {
  const palette = useCommandPalette();
  return (
    <Dialog
      isOpen
      title="Search or command"
      width={480}
      onOpenChange={(isOpen) => {
        if (!isOpen) palette.close();
      }}
    >
      <MissingPart title="Search could not be loaded" />
    </Dialog>
  );
}
