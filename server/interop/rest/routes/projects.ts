// Projects.
import { NewProject, ProjectPatch } from "@/server/contract/project";
import { createProject } from "@/server/kernel/roster/create-project";
import { deleteProject } from "@/server/kernel/roster/delete-project";
import { listProjects } from "@/server/kernel/roster/list-projects";
import { readProject } from "@/server/kernel/roster/read-project";
import { updateProject } from "@/server/kernel/roster/update-project";
import { id, reply, route } from "../route";

export const projectRoutes = [
  route({
    method: "GET",
    path: "/projects",
    summary: "Every project, the last used first",
    answer: "Project[]",
    call: async ({ kernel }) => ({ items: await listProjects(kernel) }),
  }),
  route({
    method: "POST",
    path: "/projects",
    summary: "Make a project; 409 on a taken id",
    body: NewProject,
    answer: "Project",
    status: 201,
    call: ({ kernel, body }) => createProject(kernel, body),
  }),
  route({
    method: "GET",
    path: "/projects/{project_id}",
    summary: "One project",
    answer: "Project",
    call: ({ kernel, params }) => readProject(kernel, id(params, "project_id")),
  }),
  route({
    method: "PATCH",
    path: "/projects/{project_id}",
    summary: "Rename or archive a project",
    body: ProjectPatch,
    answer: "Project",
    call: ({ kernel, params, body }) => updateProject(kernel, { project_id: id(params, "project_id"), ...body }),
  }),
  route({
    method: "DELETE",
    path: "/projects/{project_id}",
    summary: "Remove a project with everything in it",
    answer: "nothing",
    status: 204,
    call: async ({ kernel, params }) => {
      await deleteProject(kernel, id(params, "project_id"));
      return reply(204);
    },
  }),
];
