// Profiles: JSON or YAML.
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
    method: "GET",
    path: "/projects/{project_id}/profiles",
    summary: "The profiles of a project by name",
    answer: "Profile[]",
    call: async ({ kernel, params }) => ({ items: await listProfiles(kernel, id(params, "project_id")) }),
  }),
  route({
    method: "POST",
    path: "/projects/{project_id}/profiles",
    summary: "Register a profile (JSON, YAML or multipart `file`); 409 when a name differs only by case",
    accepts: "document",
    answer: "Profile",
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
    method: "GET",
    path: "/projects/{project_id}/profiles/{name}",
    summary: "One profile with its body",
    answer: "ProfileDetail",
    call: ({ kernel, params }) =>
      readProfile(kernel, { project_id: id(params, "project_id"), name: params.name ?? "" }),
  }),
  route({
    method: "DELETE",
    path: "/projects/{project_id}/profiles/{name}",
    summary: "Take a profile off the register; agents that run on it keep it",
    answer: "nothing",
    status: 204,
    call: async ({ kernel, params }) => {
      await deleteProfile(kernel, { project_id: id(params, "project_id"), name: params.name ?? "" });
      return reply(204);
    },
  }),
];
