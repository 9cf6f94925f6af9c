// A wake flag that keeps a ring until somebody has waited for it.

export type Bell = {
  ring: () => void;
  /** Forgets rings so far. Called before the fetch, so that a ring during the fetch is answered by another one. */
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
