// A place in a transcript: time in microseconds and the key that orders what one transaction wrote, sealed with the run.
import { createHash } from "node:crypto";
import { KernelError } from "@/server/contract/errors";

export type LinePlace = { at: string; key: string };
type OfRun = { project_id: string; root_turn_id: string; agent_id?: string | undefined };

export const formatLineCursor = (run: OfRun, { at, key }: LinePlace): string =>
  Buffer.from(`${seal(run)} ${at} ${key}`).toString("base64url");

/** null without a cursor; bad_request for a malformed one and for one of another transcript. */
export function parseLineCursor(run: OfRun, cursor: string | undefined): LinePlace | null {
  if (cursor === undefined) return null;
  const text = Buffer.from(cursor, "base64url").toString();
  const [, mark, at, key] =
    /^([0-9a-f]{8}) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) ([0-9]{7,12}[0-9a-f]{32})$/.exec(text) ?? [];
  if (mark === undefined || at === undefined || key === undefined || !isTime(at))
    throw new KernelError("bad_request", "cursor is malformed; leave it out to start from the beginning");
  if (mark !== seal(run))
    throw new KernelError(
      "bad_request",
      "cursor belongs to another transcript; leave it out to start from the beginning",
    );
  return { at, key };
}

/** Date.parse takes 30 February for 2 March, and a year 0, which Postgres does not have. */
function isTime(at: string): boolean {
  const ms = Date.parse(at);
  return !Number.isNaN(ms) && at >= "0001" && new Date(ms).toISOString().slice(0, 23) === at.slice(0, 23);
}

const seal = ({ project_id, root_turn_id, agent_id = "" }: OfRun): string =>
  createHash("sha256").update(`transcript ${project_id} ${root_turn_id} ${agent_id}`).digest("hex").slice(0, 8);
