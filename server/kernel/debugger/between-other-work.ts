// Runs a long computation in parts, so that other requests are answered meanwhile: comparing two boxes of rewritten cards held the
// event loop for half a second.

const MS_AT_ONCE = 20;

export async function betweenOtherWork<T>(steps: Iterator<undefined, T, undefined>): Promise<T> {
  let since = performance.now();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    if (performance.now() - since < MS_AT_ONCE) continue;
    await new Promise((done) => setImmediate(done));
    since = performance.now();
  }
}
