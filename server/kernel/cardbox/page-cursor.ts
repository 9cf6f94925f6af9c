// A position in a list ordered by age: time in microseconds and id, sealed with the project, so that a cursor of another
// project is refused without reading it.
import { createHash } from "node:crypto";
import { KernelError } from "@/server/contract/errors";

export type Place = { at: string; id: string };

/** Before all rows: the page was full of what comes first, however old it is. */
export const NEWEST_PLACE: Place = { at: "9999-12-31T23:59:59.999999Z", id: "-" };

/** `at` as Postgres writes it: a JavaScript date would lose the microseconds, and cards with them. */
export const AT = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at`;

export const formatPageCursor = (projectId: string, place: Place): string =>
  Buffer.from(`${seal(projectId)} ${place.at} ${place.id}`).toString("base64url");

/** null without a cursor; bad_request for a malformed one and for one of another project. */
export function parsePageCursor(projectId: string, cursor: string | undefined): Place | null {
  if (cursor === undefined) return null;
  const text = Buffer.from(cursor, "base64url").toString();
  // An id of an edge may be edge_ and an agent's id.
  const [, mark, at, id] =
    /^([0-9a-f]{8}) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) ([A-Za-z0-9_-]{1,133})$/.exec(text) ?? [];
  if (mark === undefined || at === undefined || id === undefined || !isTime(at))
    throw new KernelError("bad_request", "cursor is malformed; leave it out to start from the beginning");
  if (mark !== seal(projectId))
    throw new KernelError("bad_request", "cursor belongs to another project; leave it out to start from the beginning");
  return { at, id };
}

/** Date.parse takes 30 February for 2 March, and a year 0, which Postgres does not have. */
function isTime(at: string): boolean {
  const ms = Date.parse(at);
  return !Number.isNaN(ms) && at >= "0001" && new Date(ms).toISOString().slice(0, 23) === at.slice(0, 23);
}

const seal = (projectId: string): string => createHash("sha256").update(`page ${projectId}`).digest("hex").slice(0, 8);
