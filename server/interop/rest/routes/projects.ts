// Projects.
import { listAnswer } from "@/server/contract/answers/page";
import { Project, ProjectSummary } from "@/server/contract/answers/projects";
import { NewProject, ProjectPatch } from "@/server/contract/project";
import { createProject } from "@/server/kernel/roster/create-project";
import { deleteProject } from "@/server/kernel/roster/delete-project";
import { listProjects } from "@/server/kernel/roster/list-projects";
import { readProject } from "@/server/kernel/roster/read-project";
import { updateProject } from "@/server/kernel/roster/update-project";
import { id, reply, route } from "../route";

export const projectRoutes = [
  route({
    operationId: "listProjects",
    method: "GET",
    path: "/projects",
    summary: "List all projects, last used first",
    answer: listAnswer(ProjectSummary),
    call: async ({ kernel }) => ({ items: await listProjects(kernel) }),
  }),
  route({
    operationId: "createProject",
    method: "POST",
    path: "/projects",
    summary: "Create a project. 409 if the id is taken",
    body: NewProject,
    answer: Project,
    status: 201,
    call: ({ kernel, body }) => createProject(kernel, body),
  }),
  route({
    operationId: "getProject",
    method: "GET",
    path: "/projects/{project_id}",
    summary: "Get a project",
    answer: Project,
    call: ({ kernel, params }) => readProject(kernel, id(params, "project_id")),
  }),
  route({
    operationId: "updateProject",
    method: "PATCH",
    path: "/projects/{project_id}",
    summary: "Rename or archive a project",
    body: ProjectPatch,
    answer: Project,
    call: ({ kernel, params, body }) => updateProject(kernel, { project_id: id(params, "project_id"), ...body }),
  }),
  route({
    operationId: "deleteProject",
    method: "DELETE",
    path: "/projects/{project_id}",
    summary: "Delete a project with everything in it",

    status: 204,
    call: async ({ kernel, params }) => {
      await deleteProject(kernel, id(params, "project_id"));
      return reply(204);
    },
  }),
];
