// A cursor is a place in one project's journal. Text, so that a browser and an SSE id can carry it.
import { createHash } from "node:crypto";
import { KernelError } from "@/server/contract/errors";

export type Cursor = { xid: string; event_id: string };

const seal = (projectId: string) => createHash("sha256").update(projectId).digest("hex").slice(0, 8);

export const formatCursor = (projectId: string, c: Cursor): string => `${c.xid}.${c.event_id}.${seal(projectId)}`;

/** bad_request for a malformed cursor and for one of another project. */
export function parseCursor(projectId: string, text: string): Cursor {
  const [, xid, event_id, mark] = /^(\d{1,20})\.(\d{1,19})\.([0-9a-f]{8})$/.exec(text) ?? [];
  if (xid === undefined || event_id === undefined)
    throw new KernelError("bad_request", "cursor is malformed; leave it out to start anew");
  if (mark !== seal(projectId))
    throw new KernelError("bad_request", "cursor belongs to another project; leave it out to start anew");
  return { xid, event_id };
}
