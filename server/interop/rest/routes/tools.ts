// External tools: JSON or YAML.
import { listAnswer } from "@/server/contract/answers/page";
import { Tool, ToolKind } from "@/server/contract/answers/tools";
import { kindOf } from "@/server/contract/tool";
import { deleteTool } from "@/server/kernel/roster/delete-tool";
import { listTools } from "@/server/kernel/roster/list-tools";
import { saveTool } from "@/server/kernel/roster/save-tool";
import { id, reply, route } from "../route";

export const toolRoutes = [
  route({
    operationId: "listTools",
    method: "GET",
    path: "/projects/{project_id}/tools",
    summary: "List the external tools of a project by name; `kind` is http, command or polled (docs/tools.md)",
    answer: listAnswer(Tool.extend({ kind: ToolKind })),
    call: async ({ kernel, params }) => {
      const tools = await listTools(kernel, id(params, "project_id"));
      return { items: tools.map((tool) => ({ ...tool, kind: kindOf(tool) })) };
    },
  }),
  route({
    operationId: "saveTool",
    method: "POST",
    path: "/projects/{project_id}/tools",
    summary:
      "Save a tool (JSON, YAML or multipart `file`). Reserved names, and subjects that are not tool commands of this project, are refused",
    accepts: "document",
    answer: Tool,
    status: 201,
    call: ({ kernel, params, body }) => saveTool(kernel, { project_id: id(params, "project_id"), tool: body }),
  }),
  route({
    operationId: "deleteTool",
    method: "DELETE",
    path: "/projects/{project_id}/tools/{tool_name}",
    summary: "Delete a tool",

    status: 204,
    call: async ({ kernel, params }) => {
      await deleteTool(kernel, { project_id: id(params, "project_id"), tool_name: id(params, "tool_name") });
      return reply(204);
    },
  }),
];
