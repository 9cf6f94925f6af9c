// A place in a transcript: time in microseconds and the key that orders what one transaction wrote, sealed with the run. Where the next page
// need not count, it says how many lines there were, and how many come before.
import { createHash } from "node:crypto";
import { KernelError } from "@/server/contract/errors";

export type Counted = { before: number; total: number; of: number };
export type LinePlace = { at: string; key: string; counted?: Counted };
type OfRun = { project_id: string; root_turn_id: string; agent_id?: string | undefined; q?: string | undefined };

export function formatLineCursor(run: OfRun, { at, key, counted }: LinePlace): string {
  const counts = counted === undefined ? "" : ` ${counted.before} ${counted.total} ${counted.of}`;
  return Buffer.from(`${seal(run)} ${at} ${key}${counts}`).toString("base64url");
}

/** null without a cursor; bad_request for a malformed one and for one of another transcript. */
export function parseLineCursor(run: OfRun, cursor: string | undefined): LinePlace | null {
  if (cursor === undefined) return null;
  const text = Buffer.from(cursor, "base64url").toString();
  const [, mark, at, key, before, total, of] =
    /^([0-9a-f]{8}) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) ([0-9]{7,12}[0-9a-f]{32})(?: (\d{1,9}) (\d{1,9}) (\d{1,9}))?$/.exec(
      text,
    ) ?? [];
  if (mark === undefined || at === undefined || key === undefined || !isTime(at))
    throw new KernelError("bad_request", "cursor is malformed; leave it out to start from the beginning");
  if (mark !== seal(run))
    throw new KernelError(
      "bad_request",
      "cursor belongs to another transcript; leave it out to start from the beginning",
    );
  if (before === undefined) return { at, key };
  return { at, key, counted: { before: Number(before), total: Number(total), of: Number(of) } };
}

/** Date.parse takes 30 February for 2 March, and a year 0, which Postgres does not have. */
function isTime(at: string): boolean {
  const ms = Date.parse(at);
  return !Number.isNaN(ms) && at >= "0001" && new Date(ms).toISOString().slice(0, 23) === at.slice(0, 23);
}

const seal = ({ project_id, root_turn_id, agent_id = "", q = "" }: OfRun): string =>
  createHash("sha256")
    .update(JSON.stringify(["transcript", project_id, root_turn_id, agent_id, q]))
    .digest("hex")
    .slice(0, 8);
