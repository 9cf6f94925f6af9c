// What an id may be. Foreign ids are accepted unchanged if they fit a URL and a log line.
import * as z from "zod";

export const Id = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/, "an id has 1 to 128 characters of A-Z a-z 0-9 _ -");

/** The person who did it: their agent is `human_<user>`. */
export const User = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, "a user's name has 1 to 64 characters of A-Z a-z 0-9 _ -")
  .default("local");

/** Of a person's agent; other ids stay as they are. */
export const userOf = (agentId: string): string => agentId.replace(/^human_/, "");

/** Lower-case words joined by "-", at most 48 characters; "agent" when nothing is left. */
export function slug(text: string): string {
  const words = text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 48)
    .replace(/-+$/, "");
  return words === "" ? "agent" : words;
}
