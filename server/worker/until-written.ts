// The database may vanish in the middle of a turn. What a turn has to write waits for it, since what was thought so far
// would be lost with the write; it stops waiting when the turn is somebody else's.
import { setTimeout as sleep } from "node:timers/promises";
import { isPassing } from "@/server/kernel/storage-error";

const pauseMsMin = 50;
const pauseMsMax = 2_000;

/**
 * Runs `write` again while the database is away; every other error passes. A write whose answer was lost may have
 * happened: `wasWritten`, asked before each repeat, answers what it would have answered, or null.
 */
export async function untilWritten<T>(
  signal: AbortSignal,
  write: () => Promise<T>,
  wasWritten: () => Promise<T | null> = async () => null,
): Promise<T> {
  for (let pauseMs = pauseMsMin, isRepeat = false; ; isRepeat = true, pauseMs = Math.min(pauseMs * 2, pauseMsMax)) {
    signal.throwIfAborted();
    try {
      return (isRepeat ? await wasWritten() : null) ?? (await write());
    } catch (error) {
      if (!isAway(error)) throw error;
    }
    await pause(pauseMs, signal);
  }
}

export const isAway = isPassing;

/** Ends early, and quietly, when the signal is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
