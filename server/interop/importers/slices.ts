// Long pure work as a generator: it stops at every yield, and the driver gives the event loop its turn in between, so
// that a file of many megabytes never holds up a request or a heartbeat.

export type Slices<T> = Generator<undefined, T>;

const SLICE_MS = 8;

/** Runs to the end, giving way every few milliseconds. What the work throws is thrown here. */
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

/** The same without giving way: for small input. */
export function atOnce<T>(work: Slices<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
