// Tells what a Postgres error means, and whether the database is there at all. Errors are recognised by their code; the
// driver's own have none and are recognised by the whole sentence. A single word would match other people's text:
// "Unterminated string in JSON" was once taken for a database that had gone away.
import { KernelError } from "@/server/contract/errors";
import { log } from "@/server/log";

/** SQLSTATE classes: connection, shutdown and crash, resources. */
const AWAY_STATE = /^(08|57P|53)/;
const AWAY_CODES = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "EHOSTDOWN", "ENETUNREACH"],
  ...["ENOTFOUND", "EAI_AGAIN"],
  // Prisma's: not reachable, timed out on the way, closed by the server, no connection free, too many of them.
  ...["P1001", "P1002", "P1008", "P1017", "P2024", "P2037"],
]);
/** The pool's: each of its connections was in use, or still being opened, for as long as a caller waits. */
const QUEUED = "timeout exceeded when trying to connect";
const AWAY_SENTENCES = new Set([
  "Connection terminated",
  "Connection terminated unexpectedly",
  "Connection terminated due to connection timeout",
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
  QUEUED,
  "timeout expired",
  "Cannot use a pool after calling end on the pool",
]);
const FULL = new Set(["53100", "ENOSPC", "EDQUOT"]);

/** The server is there but does not do what it is asked: later, or on another server, it will. */
const SAID: Record<string, { reason: string; message: string }> = {
  // A standby behind a name that has not followed a fail-over yet, or a server that is being switched over.
  "25006": {
    reason: "read_only",
    message: "the database cannot be written to: it is a standby or read-only; nothing was written. Try again",
  },
  // lock_timeout: whoever holds it may be a host that was lost, and the server finds that out.
  "55P03": {
    reason: "locked",
    message: "another transaction held a lock for too long; nothing was written. Try again",
  },
  "57014": {
    reason: "too_slow",
    message: "the statement took too long and was canceled; nothing was written. Try again",
  },
};

/**
 * A value that no column takes: out of range, no text, too long for an index. The contract should have refused it by name;
 * where it has not, the caller is told all the same that it was the value, and the log that the contract has a gap.
 */
const BAD_VALUE = new Set(["22001", "22003", "22007", "22008", "22021", "22P02", "22P05", "22P06", "54000"]);

/** A row was written into a project that is being deleted, or is gone (trigger enter_project). */
const GONE = "SY404";

/** A row is not as it was read (function state.raise_changed). */
const CHANGED = "SY409";
export const isChanged = (error: unknown): boolean => sqlState(error) === CHANGED;

function projectGone(cause: unknown): KernelError {
  const known = new KernelError("not_found", cause instanceof Error ? cause.message : "project not found", {
    reason: "project_gone",
  });
  known.cause = cause;
  return known;
}

/** No row of it needs anything any more. */
export const isProjectGone = (error: unknown): boolean =>
  error instanceof KernelError && error.detail?.reason === "project_gone";

/** A lost connection and a full disk read as storage_error, a value no column takes as bad_request, a project that is being deleted as
 * not_found; the rest as it is. */
export function storageError(error: unknown): unknown {
  if (error instanceof KernelError) return error;
  if (FULL.has(sqlState(error))) return full(error);
  const said = SAID[sqlState(error)];
  if (said) return away(error, said.message, { reason: said.reason });
  if (sqlState(error) === GONE) return projectGone(error);
  if (BAD_VALUE.has(sqlState(error))) return badValue(error);
  if (!isAway(error)) return error;
  if (isQueued(error)) return away(error, NO_CONNECTION, { reason: "no_connection" });
  return away(error, "the database cannot be reached; nothing was written. Try again");
}

/** It may work later: the database was away, or the outcome of a commit is unknown. */
export function isPassing(error: unknown): boolean {
  const known = storageError(error);
  return known instanceof KernelError && (known.code === "storage_error" || known.code === "outcome_unknown");
}

/** The server gave up a statement that waited for a lock or took too long: nothing was written, and other statements may do better. */
export function isHeldUp(error: unknown): boolean {
  const known = storageError(error);
  return known instanceof KernelError && (known.detail?.reason === "locked" || known.detail?.reason === "too_slow");
}

/** The connection is gone, and with it the answer. Whatever else the server itself said, it has rolled back. */
export function isConnectionLost(error: unknown): boolean {
  return isAway(error) && !/^53/.test(sqlState(error));
}

/** The server will not write on this connection at all: the next connection may lead to another server. */
export const isReadOnly = (error: unknown): boolean => sqlState(error) === "25006";

/** Of this process. Route handlers are bundled apart, and the health page is to know what another of them was told. */
const seen = globalThis as typeof globalThis & { switchyardDiskFull?: { at: number; logged_at: number } };
const LOG_MS = 10_000;

function full(cause: unknown): KernelError {
  const now = Date.now();
  const logged = seen.switchyardDiskFull?.logged_at ?? 0;
  const isNews = now - logged > LOG_MS;
  seen.switchyardDiskFull = { at: now, logged_at: isNews ? now : logged };
  if (isNews) log().error({ code: sqlState(cause) }, "the disk of the database is full; nothing can be written");
  return away(
    cause,
    "the disk of the database is full; nothing was written. Free some space on it or enlarge it, and try again",
    { reason: "disk_full" },
  );
}

/** Whether a write of this process met a full disk within so long. What is only read is still answered. */
export const wasDiskFull = (withinMs: number): boolean => Date.now() - (seen.switchyardDiskFull?.at ?? 0) < withinMs;

const NO_CONNECTION =
  "all connections to the database are in use or cannot be opened; nothing was written. Try again; if it stays so, see what holds them (pg_stat_activity)";
const isQueued = (error: unknown): boolean => error instanceof Error && error.message === QUEUED;

function isAway(error: unknown): boolean {
  const code = sqlState(error);
  if (code !== "") return AWAY_CODES.has(code) || AWAY_STATE.test(code);
  return error instanceof Error && AWAY_SENTENCES.has(error.message);
}

function badValue(cause: unknown): KernelError {
  log().warn({ err: cause }, "the database refused a value that the contract had accepted");
  const said = cause instanceof Error ? cause.message : "out of range";
  const known = new KernelError("bad_request", `a value cannot be stored: ${said.slice(0, 200)}`);
  known.cause = cause;
  return known;
}

function away(cause: unknown, message: string, detail?: Record<string, unknown>): KernelError {
  const known = new KernelError("storage_error", message, detail);
  known.cause = cause;
  return known;
}

const codeOf = (error: unknown): string =>
  error !== null && typeof error === "object" && "code" in error && typeof error.code === "string" ? error.code : "";

/** Of Prisma's errors the one within: to it, a session that was ended is one more kind of "the query failed". */
export function sqlState(error: unknown): string {
  const { meta } = (error ?? {}) as { meta?: { driverAdapterError?: { cause?: unknown } } };
  const within = meta?.driverAdapterError?.cause as { originalCode?: unknown } | undefined;
  const original = typeof within?.originalCode === "string" ? within.originalCode : "";
  return codeOf(within) || original || codeOf(error);
}
