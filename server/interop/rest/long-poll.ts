// A long poll: looks again at every ring and at intervals, until there is something or the time is up.
import type { Kernel, Ring } from "@/server/kernel/kernel";

export type LongPoll<T> = {
  /** Rings that are a reason to look again. */
  isFor: (ring: Ring) => boolean;
  wait_ms: number;
  signal: AbortSignal;
  ask: () => Promise<T[]>;
};

/** Empty if nothing came in time or the caller has disconnected. */
export async function longPoll<T>(kernel: Kernel, poll: LongPoll<T>): Promise<T[]> {
  const { signal, ask } = poll;
  if (poll.wait_ms === 0) return ask();
  const end = Date.now() + poll.wait_ms;
  let isRung = false;
  let wake: (() => void) | undefined;
  const rouse = () => {
    isRung = true;
    wake?.();
  };
  const unlisten = await kernel.doorbell.listen((ring) => {
    if (poll.isFor(ring)) rouse();
  });
  signal.addEventListener("abort", rouse);
  try {
    // Work claimed for a caller that has disconnected would lie idle until it is reclaimed.
    while (!signal.aborted) {
      // Reset before looking, so that a ring during the look causes another one.
      isRung = false;
      const found = await ask();
      const left = end - Date.now();
      if (found.length > 0 || left <= 0) return found;
      if (!isRung)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, Math.min(left, kernel.tunables.pollMs));
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
    }
    return [];
  } finally {
    signal.removeEventListener("abort", rouse);
    await unlisten();
  }
}
