// A cursor is a place in one project's journal, of one generation of the database. Text, so that a browser and an SSE id can carry it.
import { createHash } from "node:crypto";
import { KernelError } from "@/server/contract/errors";

export type Place = { xid: string; event_id: string };
/** Transaction ids have a meaning only on the server that gave them: another generation, other ids (server/installation.ts). */
export type Cursor = Place & { generation: string };

/** Columns of a statement whose answer is complete up to here, for `cursorHere`. */
export const HERE = `pg_snapshot_xmin(pg_current_snapshot())::text AS xid,
    (SELECT generation::text FROM state.installation) AS generation`;
export type Here = { xid: string; generation: string };

export const cursorHere = (projectId: string, { xid, generation }: Here): string =>
  formatCursor(projectId, { generation, xid, event_id: "0" });

export const formatCursor = (projectId: string, c: Cursor): string =>
  `${c.generation}.${c.xid}.${c.event_id}.${seal(projectId)}`;

const seal = (projectId: string) => createHash("sha256").update(projectId).digest("hex").slice(0, 8);

/** bad_request for a malformed cursor and for one of another project. */
export function parseCursor(projectId: string, text: string): Cursor {
  const [, generation, xid, event_id, mark] =
    /^(?:(\d{1,19})\.)?(\d{1,20})\.(\d{1,19})\.([0-9a-f]{8})$/.exec(text) ?? [];
  if (xid === undefined || event_id === undefined || !fits(generation, xid, event_id))
    throw new KernelError("bad_request", "cursor is malformed; leave it out to start again");
  if (mark !== seal(projectId))
    throw new KernelError("bad_request", "cursor belongs to another project; leave it out to start again");
  // A page that was open while the program was replaced starts again by itself.
  return { generation: generation ?? "0", xid, event_id };
}

const BIGINT_MAX = 2n ** 63n - 1n;
const XID_MAX = 2n ** 64n - 1n;

/** As many digits may still be too large: such a cursor opened a stream that ended with Postgres' own error. */
const fits = (generation: string | undefined, xid: string, event_id: string): boolean =>
  BigInt(generation ?? 0) <= BIGINT_MAX && BigInt(xid) <= XID_MAX && BigInt(event_id) < BIGINT_MAX;

/** The cursor is not valid here; its holder starts again from a snapshot. */
export const resetError = (why: string): KernelError =>
  new KernelError("bad_request", `cursor ${why}; start from a snapshot`, { reset: true });

export const isReset = (error: unknown): error is KernelError =>
  error instanceof KernelError && error.detail?.reset === true;
