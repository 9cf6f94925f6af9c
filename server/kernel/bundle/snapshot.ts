// Reads as of one moment: a run that goes on while it is exported would otherwise have cards in its boxes that are in no part.
import type { QueryResultRow } from "pg";
import type { Kernel } from "../kernel";
import type { Reader } from "../reader";
import { storageError } from "../storage-error";

const BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

export async function withSnapshot<T>(kernel: Kernel, work: (reader: Reader) => Promise<T>): Promise<T> {
  const client = await kernel.db.pool.connect();
  // Outside its pool it has no listener; the next statement tells of a lost connection.
  client.on("error", ignore);
  let broken: Error | undefined;
  try {
    await client.query({ text: BEGIN });
    const result = await work({
      query: async <R extends QueryResultRow>(name: string, text: string, values: unknown[] = []) =>
        (await client.query<R>({ name, text, values })).rows,
    });
    await client.query({ text: "COMMIT" });
    return result;
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error));
    throw storageError(error);
  } finally {
    client.off("error", ignore);
    // With its open transaction it must not go back to the pool.
    client.release(broken);
  }
}

const ignore = (): void => undefined;
