// A wake flag that keeps a ring until someone waits for it.

export type Bell = {
  ring: () => void;
  /** Clears earlier rings. Called before the fetch, so that a ring during the fetch causes another one. */
  reset: () => void;
  /** Until rung, since the last reset, or `ms` have passed. */
  wait: (ms: number) => Promise<void>;
};

export function createBell(): Bell {
  let isRung = false;
  let wake: (() => void) | undefined;
  return {
    ring: () => {
      isRung = true;
      wake?.();
    },
    reset: () => {
      isRung = false;
    },
    wait: (ms) =>
      new Promise((resolve) => {
        if (isRung) return resolve();
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
}
