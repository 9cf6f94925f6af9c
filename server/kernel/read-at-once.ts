// Reads that a turn waits for: sent together over one connection, with plans that are kept. Outside a unit Postgres may plan a named
// statement again for each set of values: reading the cards of a box took 2 ms to plan and half a millisecond to run.
import { KernelError } from "@/server/contract/errors";
import { withoutKey } from "./kept-results";
import type { Kernel } from "./kernel";
import type { Reader } from "./reader";
import { storageError } from "./storage-error";
import { withUnit } from "./unit";

/** Writes nothing, and keeps nothing for a request with a key. storage_error (503) when the database is away. */
export async function readAtOnce<T>(
  kernel: Kernel,
  reads: (reader: Reader) => Promise<T>,
  /** Its end is sent with it. */
  { isOneStatement }: { isOneStatement?: true } = {},
): Promise<T> {
  try {
    return await withUnit(withoutKey(kernel), reads, { isOftenEmpty: true, isOneStatement });
  } catch (error) {
    // Whether the end of reads arrived changes nothing.
    const isLost = error instanceof KernelError && error.code === "outcome_unknown";
    throw isLost ? storageError(error.cause) : error;
  }
}
