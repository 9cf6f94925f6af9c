"use client";

// Fetches the palette when the page has nothing better to do, so that it is neither in the first load nor late.
import { lazy, Suspense, useEffect, useState } from "react";
import { useIsPaletteOpen } from "@/components/ui/commands";

const load = () => import("./command-palette").then((module) => ({ default: module.CommandPalette }));
const CommandPalette = lazy(load);

export function LazyPalette({ scope }: { scope?: string }) {
  const isOpen = useIsPaletteOpen();
  const [wasOpened, setWasOpened] = useState(false);
  if (isOpen && !wasOpened) setWasOpened(true);
  useEffect(() => {
    // Safari has no requestIdleCallback.
    const timer = setTimeout(() => void load(), 1500);
    return () => clearTimeout(timer);
  }, []);
  if (!wasOpened) return null;
  return (
    <Suspense fallback={null}>
      <CommandPalette scope={scope} />
    </Suspense>
  );
}
