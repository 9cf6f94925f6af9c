// Forms that the pack, the envelope and the sidecar share. Each is a pattern, not a `format`: validators differ in what they
// check of a format, and the published schema has to accept and refuse what we do.
import * as z from "zod";

/** 8-4-4-4-12 hexadecimal digits. Version and variant are not checked: packs in use have ids without them. */
export const UuidShape = z
  .string()
  .regex(
    /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/,
    "expected an id of 8-4-4-4-12 hexadecimal digits",
  );

const DAY = [
  String.raw`(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29`,
  String.raw`\d{4}-(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])`,
  String.raw`\d{4}-(?:0[469]|11)-(?:0[1-9]|[12]\d|30)`,
  String.raw`\d{4}-02-(?:0[1-9]|1\d|2[0-8])`,
].join("|");
const TIME = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)`;

/** RFC 3339 with a time zone. The 30th of February is refused. */
export const DateTime = z
  .string()
  .regex(new RegExp(`^(?:${DAY})T${TIME}$`), "expected a date and time such as 2026-01-31T09:30:00Z");

/** Written bare. `sha256:` before it is accepted. */
export const Digest = z
  .string()
  .regex(/^(?:sha256:)?[0-9a-f]{64}$/, "expected a SHA-256 digest: 64 digits and letters a to f");

export const bareDigest = (digest: string): string => digest.replace(/^sha256:/, "");

/** Members of any name with any JSON value. */
export const OpenObject = z.record(z.string(), z.json());
export type OpenObject = z.infer<typeof OpenObject>;

/** A sort key: the moment in UTC with nine decimals, whatever time zone and precision it was written with. */
export function momentKey(dateTime: string): string {
  const fraction = /\.(\d{1,9})/.exec(dateTime)?.[1] ?? "";
  const seconds = new Date(dateTime.replace(/\.\d{1,9}/, "")).toISOString().slice(0, -5);
  return `${seconds}.${fraction.padEnd(9, "0")}`;
}
