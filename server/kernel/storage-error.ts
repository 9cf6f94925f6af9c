// What Postgres said when it said no, and whether it is there at all.
import { KernelError } from "@/server/contract/errors";

const AWAY =
  /^(08|57P|53|P10\d\d|P2024)|ECONNREFUSED|ECONNRESET|EPIPE|terminated|not queryable|timeout exceeded when trying to connect|Can't reach database|closed the connection/;

/** A lost connection reads as storage_error; everything else passes as it is. */
export function storageError(error: unknown): unknown {
  if (error instanceof KernelError) return error;
  const text = `${sqlState(error)} ${error instanceof Error ? error.message : ""}`;
  if (!AWAY.test(sqlState(error)) && !AWAY.test(text.trim())) return error;
  const away = new KernelError(
    "storage_error",
    "the database cannot be reached; it is tried again, nothing was written",
  );
  away.cause = error;
  return away;
}

const codeOf = (error: unknown): string =>
  error !== null && typeof error === "object" && "code" in error && typeof error.code === "string" ? error.code : "";

/** Of Prisma's errors the one within: to it, a session that was ended is one more kind of "the query failed". */
export function sqlState(error: unknown): string {
  const { meta } = (error ?? {}) as { meta?: { driverAdapterError?: { cause?: unknown } } };
  return codeOf(meta?.driverAdapterError?.cause) || codeOf(error);
}
