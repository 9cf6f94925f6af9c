// How many of one kind of work a process does at a time. Who comes later waits in order, or is told that all are taken.

/** Gives the place back, once. */
export type Release = () => void;
export type Slots = {
  /** Null = all are taken. */
  tryTake: () => Release | null;
  take: () => Promise<Release>;
};

export function createSlots(slotsMax: number): Slots {
  let taken = 0;
  const waiting: (() => void)[] = [];
  const releaseOnce = (): Release => {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const next = waiting.shift();
      // The place passes on: someone who comes now must not get in before those who waited.
      if (next) next();
      else taken--;
    };
  };
  const tryTake = () => {
    if (taken >= slotsMax) return null;
    taken++;
    return releaseOnce();
  };
  return {
    tryTake,
    take: async () => {
      const free = tryTake();
      if (free) return free;
      await new Promise<void>((called) => waiting.push(called));
      return releaseOnce();
    },
  };
}
