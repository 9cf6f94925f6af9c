// Repeatable random numbers: the values depend only on the seed. When they are drawn does not.
export type Random = {
  /** 0 <= n < 1 */
  next: () => number;
  chance: (share: number) => boolean;
  /** Both ends are included. */
  whole: (min: number, max: number) => number;
  pick: <T>(from: readonly T[]) => T;
  /** A separate source, so that drawing more or fewer numbers does not change the others. */
  fork: () => Random;
};

export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const whole = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    whole,
    chance: (share) => next() < share,
    pick: (from) => {
      const one = from[whole(0, from.length - 1)];
      if (one === undefined) throw new Error("there is nothing to pick from");
      return one;
    },
    fork: () => randomOf(whole(0, 4_294_967_295)),
  };
}
