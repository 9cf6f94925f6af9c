// Profiles: JSON or YAML.
import { listAnswer } from "@/server/contract/answers/page";
import { ProfileDetail, ProfileSummary, SavedProfile } from "@/server/contract/answers/profiles";
import { deleteProfile } from "@/server/kernel/roster/delete-profile";
import { listProfiles } from "@/server/kernel/roster/list-profiles";
import { parseProfile } from "@/server/kernel/roster/parse-profile";
import { profileWarnings } from "@/server/kernel/roster/profile-warnings";
import { readProfile } from "@/server/kernel/roster/read-profile";
import { saveProfile } from "@/server/kernel/roster/save-profile";
import { withUnit } from "@/server/kernel/unit";
import { id, reply, route } from "../route";

export const profileRoutes = [
  route({
    operationId: "listProfiles",
    method: "GET",
    path: "/projects/{project_id}/profiles",
    summary: "List the profiles of a project by name",
    answer: listAnswer(ProfileSummary),
    call: async ({ kernel, params }) => ({ items: await listProfiles(kernel, id(params, "project_id")) }),
  }),
  route({
    operationId: "createProfile",
    method: "POST",
    path: "/projects/{project_id}/profiles",
    summary: "Save a profile (JSON, YAML or multipart `file`). 409 if a name differs only by case",
    accepts: "document",
    answer: SavedProfile,
    status: 201,
    call: async ({ kernel, params, body }) => {
      const project_id = id(params, "project_id");
      const profile = parseProfile((body ?? {}) as Record<string, unknown>);
      const saved = await withUnit(kernel, (unit) => saveProfile(unit, { project_id, profile, author_id: "rest" }));
      const missing = await profileWarnings(kernel, { project_id, body: profile.body });
      return { ...saved, warnings: [...profile.warnings, ...missing] };
    },
  }),
  route({
    operationId: "getProfile",
    method: "GET",
    path: "/projects/{project_id}/profiles/{name}",
    summary: "Get a profile with its body",
    answer: ProfileDetail,
    call: ({ kernel, params }) =>
      readProfile(kernel, { project_id: id(params, "project_id"), name: params.name ?? "" }),
  }),
  route({
    operationId: "deleteProfile",
    method: "DELETE",
    path: "/projects/{project_id}/profiles/{name}",
    summary: "Delete a profile. Agents that use it keep it",

    status: 204,
    call: async ({ kernel, params }) => {
      await deleteProfile(kernel, { project_id: id(params, "project_id"), name: params.name ?? "" });
      return reply(204);
    },
  }),
];
