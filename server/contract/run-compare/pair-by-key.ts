// Pairs two lists by a key that both sides name: the first of a key with the first of it, the second with the second. Cards of boxes,
// steps of a plan and turns of runs are paired by this one rule.

/** Indexes into the two lists. What is taken is passed over, and what is paired becomes taken. */
export type KeySides<T> = { a: readonly T[]; b: readonly T[]; takenA: Set<number>; takenB: Set<number> };
export type KeyPair = { a: number; b: number };

export const sidesOf = <T>(a: readonly T[], b: readonly T[]): KeySides<T> => ({
  ...{ a, b },
  ...{ takenA: new Set(), takenB: new Set() },
});

/** Nothing is paired by a key that is null. `keyOfB` where the sides say it differently. */
export function pairByKey<T>(
  sides: KeySides<T>,
  keyOfA: (one: T) => string | null,
  keyOfB: (one: T) => string | null = keyOfA,
): KeyPair[] {
  const places = new Map<string, number[]>();
  for (const [at, one] of sides.a.entries()) {
    const key = sides.takenA.has(at) ? null : keyOfA(one);
    if (key === null) continue;
    const known = places.get(key);
    if (known) known.push(at);
    else places.set(key, [at]);
  }
  // Read from the front with a cursor: shift() on the list of a key that is repeated 10,000 times is quadratic.
  const next = new Map<string, number>();
  const pairs: KeyPair[] = [];
  for (const [at, one] of sides.b.entries()) {
    const key = sides.takenB.has(at) ? null : keyOfB(one);
    const n = next.get(key ?? "") ?? 0;
    const place = key === null ? undefined : places.get(key)?.[n];
    if (key === null || place === undefined) continue;
    next.set(key, n + 1);
    pairs.push({ a: place, b: at });
  }
  for (const pair of pairs) {
    sides.takenA.add(pair.a);
    sides.takenB.add(pair.b);
  }
  return pairs;
}
