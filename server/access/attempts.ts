// Counts wrong tokens per address and in total. In memory, one count per process: a real token is long and random; this keeps
// a short one from being guessed in an afternoon, even from a thousand addresses.

export type Attempts = {
  /** Seconds until this address may try again; 0 if it may now. */
  waitS: (address: string) => number;
  /**
   * One more failure. `what` tells one wrong value from another: a program that repeats the same stale token counts once,
   * or it would lock out everything else that runs on its machine.
   */
  fail: (address: string, what?: string) => void;
  /**
   * This address sent the right token. From then on only its own failures count against it; otherwise someone guessing from
   * everywhere could keep all programs out for as long as they go on.
   */
  succeed: (address: string) => void;
};

export type AttemptsOptions = {
  failuresMax?: number;
  totalMax?: number;
  windowMs?: number;
  addressesMax?: number;
  now?: () => number;
};

type Times = Map<string | symbol, number>;

export function createAttempts(options: AttemptsOptions = {}): Attempts {
  const { failuresMax = 10, totalMax = 100, windowMs = 60_000, addressesMax = 10_000, now = Date.now } = options;
  const failures = new Map<string, Times>();
  const total: Times = new Map();
  const known = new Set<string>();

  function recent(times: Times): Times {
    for (const [what, at] of times) if (at <= now() - windowMs) times.delete(what);
    return times;
  }

  function until(times: Times, max: number): number {
    const all = [...recent(times).values()];
    const oldest = all[all.length - max];
    return oldest === undefined ? 0 : Math.max(1, Math.ceil((oldest + windowMs - now()) / 1000));
  }

  // This machine itself can always sign in, whatever the rest of the world tries.
  const isKnown = (address: string) => loopback.has(address) || known.has(address);

  return {
    waitS(address) {
      const own = until(failures.get(address) ?? new Map(), failuresMax);
      return isKnown(address) ? own : Math.max(own, until(total, totalMax));
    },
    fail(address, what) {
      const times = recent(failures.get(address) ?? new Map());
      const mark = what ?? Symbol("a failure");
      if (!times.has(mark)) times.set(mark, now());
      last(failures, address, times, addressesMax);
      if (!recent(total).has(mark)) last(total, mark, now(), totalMax);
    },
    succeed(address) {
      known.delete(address);
      known.add(address);
      const [first] = known;
      if (known.size > addressesMax && first !== undefined) known.delete(first);
    },
  };
}

/** In the format of addressOf. */
const loopback = new Set(["127.0.0.1", "0:0:0:0::/64"]);

/** Moves it to the end, so that the first is the one that has been quiet longest; that one is dropped when there are too many. */
function last<K, V>(map: Map<K, V>, key: K, value: V, max: number): void {
  map.delete(key);
  map.set(key, value);
  const [first] = map.keys();
  if (map.size > max && first !== undefined) map.delete(first);
}

const store = globalThis as typeof globalThis & { switchyardAttempts?: Attempts };

/** This process's. Route handlers are bundled apart, so it hangs on globalThis. */
export function attempts(): Attempts {
  store.switchyardAttempts ??= createAttempts();
  return store.switchyardAttempts;
}
