// Reads run on the pool, or inside a unit that must see its own writes. One type for both, so that no verb is written twice.
import type pg from "pg";
import type { Kernel } from "../kernel";
import { storageError } from "../storage-error";
import type { Unit } from "../unit";

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

const ID = /^[A-Za-z0-9_-]{1,128}$/;

/** What could be an id at all: anything else is missing, and some of it no database would take. */
export const askableIds = (ids: readonly (string | null | undefined)[]): string[] =>
  [...new Set(ids)].filter((id): id is string => typeof id === "string" && ID.test(id));
