// A position in the list of named artifacts. Names may hold what ids may not, so the cursor of other lists does not fit.
import { parseArtifactName } from "@/server/contract/context-pack/artifact-name";
import { KernelError } from "@/server/contract/errors";
import { AT, formatPageCursor, parsePageCursor } from "../cardbox/page-cursor";

type Place = { at: string; area: string; name: string };

export const NAME_AT = AT("n.created_at");

const encoded = (text: string): string => Buffer.from(text).toString("base64url");

/** The seal of the project comes from the cursor of all lists; the name follows it. */
export const formatNameCursor = (project_id: string, { at, area, name }: Place): string =>
  `${formatPageCursor(project_id, { at, id: "name" })}.${encoded(`${area}/${name}`)}`;

export function parseNameCursor(project_id: string, cursor: string | undefined): Place | null {
  if (cursor === undefined) return null;
  const [head = "", rest = ""] = cursor.split(".");
  const place = parsePageCursor(project_id, head);
  const parsed = parseArtifactName(`artifact://${Buffer.from(rest, "base64url").toString()}`);
  if (place === null || "fault" in parsed)
    throw new KernelError("bad_request", "cursor is malformed; leave it out to start from the beginning");
  return { at: place.at, ...parsed };
}
