// A row of resource.profiles and the profile it stands for.
import type { Profile } from "@/server/contract/profile";

export type ProfileRow = Omit<Profile, "description"> & { description: string | null };

/** All of resource.profiles. */
export const PROFILE_COLUMNS = [
  "project_id",
  "profile_box_id",
  "name",
  "worker_target",
  "tags",
  "description",
  "delegation_context",
  "rev",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof ProfileRow)[];

export const profileOf = <R extends ProfileRow>(row: R): Omit<R, "description"> & Pick<Profile, "description"> => ({
  ...row,
  description: row.description ?? undefined,
});
