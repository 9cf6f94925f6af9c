// A worker that neither succeeds nor fails does nothing, says nothing, and holds its turns. It is better to end it, since the
// kernel is built for crashes and its supervisor restarts it. Failures are the database's fault, silence is the worker's own.
export type Silence = {
  /** Call this whenever an attempt at `what` has ended, either way; attempts repeat every `periodMs`. */
  expect: (what: string, periodMs: number) => () => void;
  stop: () => void;
};

/** `tickMs`: the length of a second; tests use shorter ones. */
export type SilenceOptions = { onSilent: (what: string) => void; tickMs?: number };

const periods = 3;

/** Counted in its own ticks: a machine that slept for an hour has been silent for one tick. */
export function listenForSilence({ onSilent, tickMs = 1_000 }: SilenceOptions): Silence {
  const expected: { what: string; ticksMax: number; ticks: number }[] = [];
  const timer = setInterval(() => {
    for (const one of expected) if (++one.ticks === one.ticksMax) onSilent(one.what);
  }, tickMs).unref();
  return {
    expect: (what, periodMs) => {
      const one = { what, ticksMax: Math.ceil((periods * periodMs) / 1_000), ticks: 0 };
      expected.push(one);
      return () => {
        one.ticks = 0;
      };
    },
    stop: () => clearInterval(timer),
  };
}
