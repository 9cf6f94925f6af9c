// The name of an artifact: artifact://<area>/<name>, resolved inside one project. Names reach REST addresses and archives, so
// what could climb out of a folder there is refused here.
import * as z from "zod";

const AREA = "[A-Za-z0-9][A-Za-z0-9_-]{0,63}";
/** Not "." and not "..". */
const SEGMENT = String.raw`(?!\.{1,2}(?:/|$))[A-Za-z0-9._~+=@,-]{1,128}`;
const NAME = `${SEGMENT}(?:/${SEGMENT}){0,15}`;
const SCHEME = "artifact://";

const ArtifactArea = z
  .string()
  .regex(
    new RegExp(`^${AREA}$`),
    "an area has 1 to 64 characters of A-Z a-z 0-9 _ - and begins with a letter or digit",
  );

export const ArtifactName = z
  .string()
  .regex(
    new RegExp(`^${SCHEME}${AREA}/${NAME}$`),
    "expected artifact://area/name with characters A-Z a-z 0-9 . _ ~ + = @ , - and / between parts",
  );
export type ArtifactName = z.infer<typeof ArtifactName>;

export type ParsedArtifactName = { area: string; name: string } | { fault: string };

const PART = new RegExp(`^${SEGMENT}$`);
const PARTS_MAX = 16;

/** `fault` says what is wrong and what to write instead. */
export function parseArtifactName(text: string): ParsedArtifactName {
  if (!text.startsWith(SCHEME)) return { fault: "does not begin with artifact://. Write artifact://area/name" };
  const [area = "", ...parts] = text.slice(SCHEME.length).split("/", PARTS_MAX + 2);
  const { success } = ArtifactArea.safeParse(area);
  if (!success) return { fault: "has no valid area. An area has 1 to 64 characters of A-Z a-z 0-9 _ -" };
  if (parts.length === 0) return { fault: "has no name. Write artifact://area/name" };
  if (parts.length > PARTS_MAX) return { fault: `has more than ${PARTS_MAX} parts. Shorten the name` };
  const fault = parts.map(partFault).find((one) => one !== null);
  return fault === undefined || fault === null ? { area, name: parts.join("/") } : { fault };
}

function partFault(part: string): string | null {
  if (PART.test(part)) return null;
  if (part === "") return 'has an empty part. Remove the extra "/"';
  if (part === "." || part === "..") return `has "${part}" as a part. Name the artifact without it`;
  if (part.includes("\\")) return 'contains "\\". Separate parts with "/"';
  if (part.includes("%")) return 'contains "%". Names are not percent-encoded: write the characters themselves';
  if (part.length > 128) return "has a part of more than 128 characters. Shorten it";
  return "contains a character that is not allowed. Use A-Z a-z 0-9 . _ ~ + = @ , -";
}
