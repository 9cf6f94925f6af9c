"use client";

// Fetches the palette when the page has nothing better to do, so that it is neither in the first load nor late.
import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { useCommandPalette, useIsPaletteOpen } from "@/components/ui/commands";
import { Dialog } from "@/components/ui/dialog";
import { MissingPart } from "@/components/ui/missing-part";
import { ShortcutLayer } from "@/components/ui/shortcuts";
import { useIsAtRest } from "@/components/ui/use-is-at-rest";
import { usePart } from "@/components/ui/use-part";

const load = () => import("./command-palette").then((module) => module.CommandPalette);

export function LazyPalette({ scope }: { scope?: string }) {
  const isOpen = useIsPaletteOpen();
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
        <ShortcutLayer>
          <EarlyKeys onType={(text) => (typed.current = text(typed.current))} />
        </ShortcutLayer>
      ) : null}
      {Component === null ? null : <Component scope={scope} takeTyped={take} onShown={setIsShown} />}
    </>
  );
}

/** What is typed before the field is there belongs in it: on the page each letter would be a shortcut of its own. */
function EarlyKeys({ onType }: { onType: (change: (typed: string) => string) => void }) {
  const palette = useCommandPalette();
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Escape") palette.close();
    else if (event.key === "Backspace") onType((typed) => typed.slice(0, -1));
    else if (event.key.length === 1) onType((typed) => typed + event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    // Before whatever has the focus.
    window.addEventListener("keydown", listen, true);
    return () => window.removeEventListener("keydown", listen, true);
  }, []);
  return null;
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
