"use client";

// The run a turn belongs to.
import { useCallback, useSyncExternalStore } from "react";
import type { RunFrame } from "@/server/contract/frame";
import { useYard } from "./yard-context";

export function useRun(rootTurnId: string): RunFrame | undefined {
  const { live } = useYard();
  const subscribe = useCallback(
    (listener: () => void) => live.subscribeEntity("run", rootTurnId, listener),
    [live, rootTurnId],
  );
  const get = useCallback(() => live.getPicture().run.get(rootTurnId), [live, rootTurnId]);
  return useSyncExternalStore(subscribe, get, get);
}

/** False for an import whose log had no clock: its order is true, its durations mean nothing. */
export function useHasTimes(rootTurnId: string): boolean {
  return useRun(rootTurnId)?.metadata.times !== "synthetic";
}
