/** A promise that is awaited further down: until then its failure is not reported as unhandled. */
export function heardLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
