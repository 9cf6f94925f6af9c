// Long computation as a generator: at each yield the driver can let the event loop run, so that a file of many megabytes
// never delays a request or a heartbeat.

export type Slices<T> = Generator<undefined, T>;

const SLICE_MS = 8;

/** Runs to the end and yields to the event loop every few milliseconds. Rethrows what the work throws. */
export async function inSlices<T>(work: Slices<T>): Promise<T> {
  let until = performance.now() + SLICE_MS;
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() < until) continue;
    await new Promise<void>((done) => setImmediate(done));
    until = performance.now() + SLICE_MS;
  }
}

/** The same without yielding, for small input. */
export function atOnce<T>(work: Slices<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
