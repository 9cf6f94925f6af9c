"use client";

// Launching starts in the address: `?launch=new` opens the composer over whatever is on the screen, and Back closes it.
// So the shell need not know the composer, nor the composer the shell.
import { parseAsString, useQueryState } from "nuqs";
import { useCallback } from "react";

export function useLaunch(): () => void {
  const [, setLaunch] = useQueryState("launch", parseAsString.withOptions({ history: "push" }));
  return useCallback(() => {
    void setLaunch("new");
  }, [setLaunch]);
}
