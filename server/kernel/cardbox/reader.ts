// Reads run on the pool, or inside a unit that must see its own writes. One type for both, so that no verb is written twice.
import type pg from "pg";
import type { Kernel } from "../kernel";
import { storageError, type Unit } from "../unit";

export type Reader = Pick<Kernel, "db"> | Pick<Unit, "query">;

/** A named prepared statement; `name` is unique to the text. */
export async function read<R extends pg.QueryResultRow>(
  reader: Reader,
  name: string,
  text: string,
  values: unknown[],
): Promise<R[]> {
  if ("query" in reader) return reader.query<R>(name, text, values);
  try {
    return (await reader.db.pool.query<R>({ name, text, values })).rows;
  } catch (error) {
    throw storageError(error);
  }
}
