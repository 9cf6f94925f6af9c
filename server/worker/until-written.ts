// The database may go away in the middle of a turn. A turn's writes wait for it, because the work so far would be lost with
// them; they stop waiting when another worker holds the turn.
import { setTimeout as sleep } from "node:timers/promises";
import { isPassing } from "@/server/kernel/storage-error";

const pauseMsMin = 50;
const pauseMsMax = 2_000;

/**
 * Runs `write` again while the database is away; every other error passes. A write whose answer was lost may have happened:
 * `wasWritten`, called before each repeat, returns its answer, or null.
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

/** Ends early, without an error, when the signal is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
