// Reads that a turn waits for: asked together over one connection, and planned once. On its own, a named statement was planned again for
// each of its values where Postgres thought that worth it: 2 ms for the cards of a box, which it then read in a half.
import { withoutKey } from "./kept-results";
import type { Kernel } from "./kernel";
import type { Reader } from "./reader";
import { withUnit } from "./unit";

/** Writes nothing, and keeps nothing for a request with a key. Errors as of a unit: storage_error (503) when the database is away. */
export const readAtOnce = <T>(
  kernel: Kernel,
  reads: (reader: Reader) => Promise<T>,
  /** Its end is sent with it. */
  { isOneStatement }: { isOneStatement?: true } = {},
): Promise<T> => withUnit(withoutKey(kernel), reads, { isOftenEmpty: true, isOneStatement });
