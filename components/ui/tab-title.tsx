"use client";

// What the browser's tab is called: the thing that is looked at, then where it is, so that ten tabs can be told apart. The
// page's own title from the server stays until the thing is known.
import { createContext, type ReactNode, useContext, useEffect } from "react";

/** Around the pages of a project: its name stands at the end of each title. */
export function TabTitlePlace({ name, children }: { name: string; children: ReactNode }) {
  return <PlaceContext value={name}>{children}</PlaceContext>;
}

/** From the inside out: `useTabTitle("2S02 Researcher", "Run 3")`. What is not known yet is left out. */
export function useTabTitle(...parts: readonly (string | null | undefined)[]): void {
  const place = useContext(PlaceContext);
  const known = [...parts, place].filter((part) => part !== undefined && part !== null && part !== "");
  const title = known.length === 0 ? "Switchyard" : `${known.join(" · ")} - Switchyard`;
  useEffect(() => {
    document.title = title;
  }, [title]);
}

const PlaceContext = createContext<string | null>(null);
