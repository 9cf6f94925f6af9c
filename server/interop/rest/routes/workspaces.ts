// Workspaces: folders of the server and uploads that context packs are built from.
import { listAnswer } from "@/server/contract/answers/page";
import { KernelError } from "@/server/contract/errors";
import { NewWorkspace, Workspace, WorkspaceName } from "@/server/contract/workspace";
import { bodyParts } from "@/server/front/body-parts";
import { readProject } from "@/server/kernel/roster/read-project";
import { withUnit } from "@/server/kernel/unit";
import { deleteWorkspace } from "@/server/kernel/workspaces/delete-workspace";
import { indexWorkspace } from "@/server/kernel/workspaces/index-workspace";
import { putContent } from "@/server/kernel/workspaces/put-content";
import { listWorkspaces, readWorkspace } from "@/server/kernel/workspaces/read-workspaces";
import { saveWorkspace } from "@/server/kernel/workspaces/save-workspace";
import { id, reply, route } from "../route";

const all = "/projects/{project_id}/workspaces";

export const workspaceRoutes = [
  route({
    operationId: "listWorkspaces",
    method: "GET",
    path: all,
    summary: "List the workspaces that context packs can be built from",
    answer: listAnswer(Workspace),
    call: async ({ kernel, params }) => {
      const project_id = id(params, "project_id");
      await readProject(kernel, project_id);
      return { items: await listWorkspaces(kernel, project_id) };
    },
  }),
  route({
    operationId: "registerWorkspace",
    method: "POST",
    path: all,
    summary: "Register a folder that the server's operator has named in SWITCHYARD_WORKSPACES",
    body: NewWorkspace,
    answer: Workspace,
    status: 201,
    call: async ({ kernel, params, body }) => {
      const named = { project_id: id(params, "project_id"), name: body.name };
      await readProject(kernel, named.project_id);
      await withUnit(kernel, (unit) => saveWorkspace(unit, { ...named, kind: "folder" }));
      return reply(201, await readWorkspace(kernel, named));
    },
  }),
  route({
    operationId: "indexWorkspace",
    method: "POST",
    path: `${all}/{name}:index`,
    summary: "Start to index a folder. It continues after the response: get the workspace to follow its progress",
    answer: Workspace,
    status: 202,
    call: async ({ kernel, params }) => {
      await indexWorkspace(kernel, named(params));
      return reply(202, await readWorkspace(kernel, named(params)));
    },
  }),
  route({
    operationId: "putWorkspaceContent",
    method: "PUT",
    path: `${all}/{name}/content`,
    summary: "Send a git bundle, a tar or a tar.gz as the content of a workspace, and index it",
    accepts: "stream",
    takesBytes: true,
    answer: Workspace,
    call: async ({ kernel, params, request }) => {
      const { project_id, name } = named(params);
      await readProject(kernel, project_id);
      return putContent(kernel, { project_id, name, parts: bodyParts(request, kernel.tunables.uploadBytesMax) });
    },
  }),
  route({
    operationId: "getWorkspace",
    method: "GET",
    path: `${all}/{name}`,
    summary: "Get a workspace: its state, the progress of its index, and what was left out",
    answer: Workspace,
    call: ({ kernel, params }) => readWorkspace(kernel, named(params)),
  }),
  route({
    operationId: "deleteWorkspace",
    method: "DELETE",
    path: `${all}/{name}`,
    summary: "Delete a workspace and its index. A folder of the server stays as it is",
    status: 204,
    call: async ({ kernel, params }) => {
      await withUnit(kernel, (unit) => deleteWorkspace(unit, named(params)));
      return reply(204);
    },
  }),
];

function named(params: Record<string, string>): { project_id: string; name: string } {
  const name = WorkspaceName.safeParse(params.name);
  if (!name.success)
    throw new KernelError("not_found", "name: not the name of a workspace; GET /workspaces lists them");
  return { project_id: id(params, "project_id"), name: name.data };
}
