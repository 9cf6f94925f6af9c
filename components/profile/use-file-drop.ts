"use client";

// Files dropped anywhere in the window, while this page or dialog is what they are meant for. Elsewhere a drop imports a
// run; listening before that one does is what keeps a profile from being read as a log.
import { useEffect, useEffectEvent, useState } from "react";

/** Answers whether files are over the window now. */
export function useFileDrop(isEnabled: boolean, onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const take = useEffectEvent(onFiles);
  useEffect(() => {
    if (!isEnabled) return;
    // Enter and leave come for every element on the way; only their balance says whether the files are over the window.
    let depth = 0;
    function claim(event: DragEvent): boolean {
      if (!event.dataTransfer?.types.includes("Files")) return false;
      event.preventDefault();
      event.stopImmediatePropagation();
      return true;
    }
    function onEnter(event: DragEvent) {
      if (!claim(event)) return;
      depth += 1;
      setIsOver(true);
    }
    function onLeave(event: DragEvent) {
      if (!claim(event)) return;
      depth -= 1;
      if (depth <= 0) setIsOver(false);
    }
    function onDrop(event: DragEvent) {
      if (!claim(event)) return;
      depth = 0;
      setIsOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0) take(files);
    }
    const stop = new AbortController();
    const options = { capture: true, signal: stop.signal };
    window.addEventListener("dragenter", onEnter, options);
    window.addEventListener("dragover", claim, options);
    window.addEventListener("dragleave", onLeave, options);
    window.addEventListener("drop", onDrop, options);
    return () => {
      stop.abort();
      setIsOver(false);
    };
  }, [isEnabled]);
  return isOver;
}
