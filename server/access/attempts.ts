// How often an address may be wrong. In memory, a count a process: what it protects is long and random; this keeps a
// short one from being guessed in an afternoon.

export type Attempts = {
  /** Seconds until this address may try again; 0 when it may now. */
  waitS: (address: string) => number;
  /**
   * One more failure. `what` tells one wrong value from another: a program that repeats the same stale token counts once,
   * or it would lock out everything else that runs on its machine.
   */
  fail: (address: string, what?: string) => void;
};

export type AttemptsOptions = { failuresMax?: number; windowMs?: number; addressesMax?: number; now?: () => number };

export function createAttempts(options: AttemptsOptions = {}): Attempts {
  const { failuresMax = 10, windowMs = 60_000, addressesMax = 10_000, now = Date.now } = options;
  const failures = new Map<string, Map<string | symbol, number>>();

  function recent(address: string): Map<string | symbol, number> {
    const known = failures.get(address) ?? new Map<string | symbol, number>();
    for (const [what, at] of known) if (at <= now() - windowMs) known.delete(what);
    return known;
  }

  return {
    waitS(address) {
      const times = [...recent(address).values()];
      const oldest = times[times.length - failuresMax];
      return oldest === undefined ? 0 : Math.max(1, Math.ceil((oldest + windowMs - now()) / 1000));
    },
    fail(address, what) {
      const known = recent(address);
      if (what === undefined || !known.has(what)) known.set(what ?? Symbol("a failure"), now());
      // The one that failed last goes to the end, so that the first is the one longest quiet.
      failures.delete(address);
      failures.set(address, known);
      const [first] = failures.keys();
      if (failures.size > addressesMax && first !== undefined) failures.delete(first);
    },
  };
}

const store = globalThis as typeof globalThis & { switchyardAttempts?: Attempts };

/** This process's. Route handlers are bundled apart, so it hangs on globalThis. */
export function attempts(): Attempts {
  store.switchyardAttempts ??= createAttempts();
  return store.switchyardAttempts;
}
