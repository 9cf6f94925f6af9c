// Saved views: queries that people of a project keep under a name.
import { listAnswer } from "@/server/contract/answers/page";
import { View } from "@/server/contract/answers/views";
import { User } from "@/server/contract/ids";
import { NewView } from "@/server/contract/saved-view";
import { deleteView } from "@/server/kernel/roster/delete-view";
import { listViews } from "@/server/kernel/roster/list-views";
import { saveView } from "@/server/kernel/roster/save-view";
import { id, reply, route } from "../route";

export const viewRoutes = [
  route({
    operationId: "listViews",
    method: "GET",
    path: "/projects/{project_id}/views",
    summary: "List the saved views of a project by name",
    answer: listAnswer(View),
    call: async ({ kernel, params }) => ({ items: await listViews(kernel, id(params, "project_id")) }),
  }),
  route({
    operationId: "saveView",
    method: "POST",
    path: "/projects/{project_id}/views",
    summary: "Save a query under a name. Under a taken name it replaces that view",
    body: NewView.extend({ user: User }),
    answer: View,
    status: 201,
    call: ({ kernel, params, body }) => saveView(kernel, { project_id: id(params, "project_id"), ...body }),
  }),
  route({
    operationId: "deleteView",
    method: "DELETE",
    path: "/projects/{project_id}/views/{name}",
    summary: "Delete a saved view",
    status: 204,
    call: async ({ kernel, params }) => {
      await deleteView(kernel, { project_id: id(params, "project_id"), name: params.name ?? "" });
      return reply(204);
    },
  }),
];
