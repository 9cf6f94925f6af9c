// Work of this process on many things, with a breath between two of them where it has been held for some time: a worker's heartbeats and
// its other turns wait for as long as it takes. A hand-over of ten thousand cards is judged in a quarter of a second.
import { setImmediate as breathe } from "node:timers/promises";

const BUSY_MS = 4;

/** In order. */
export async function withPauses<In, Out>(items: readonly In[], work: (item: In) => Out): Promise<Out[]> {
  const done: Out[] = [];
  let since = performance.now();
  for (const item of items) {
    done.push(work(item));
    if (performance.now() - since < BUSY_MS) continue;
    await breathe();
    since = performance.now();
  }
  return done;
}
