// The kinds of what a person puts into a project, and what erasing the person does to each. A person is the name in `user`.
import * as z from "zod";

export const PERSON_KINDS = [
  "cards",
  "profiles",
  "launches",
  "answers",
  "views",
  "drafts",
  "plans",
  "recipes",
  "files",
  "packs",
  "run_data",
  "plan_edits",
  "mutes",
  "deletions",
] as const;
export const PersonKind = z.enum(PERSON_KINDS);
export type PersonKind = z.infer<typeof PersonKind>;

export const PersonGoes = z.enum(["erased", "deleted", "renamed", "stays"]);
export type PersonGoes = z.infer<typeof PersonGoes>;
