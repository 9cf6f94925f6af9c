// External tools: JSON or YAML.
import { kindOf } from "@/server/contract/tool";
import { deleteTool } from "@/server/kernel/roster/delete-tool";
import { listTools } from "@/server/kernel/roster/list-tools";
import { saveTool } from "@/server/kernel/roster/save-tool";
import { id, reply, route } from "../route";

export const toolRoutes = [
  route({
    method: "GET",
    path: "/projects/{project_id}/tools",
    summary: "The external tools of a project by name; `kind` is http, command or polled (docs/tools.md)",
    answer: "Tool[] with kind",
    call: async ({ kernel, params }) => {
      const tools = await listTools(kernel, id(params, "project_id"));
      return { items: tools.map((tool) => ({ ...tool, kind: kindOf(tool) })) };
    },
  }),
  route({
    method: "POST",
    path: "/projects/{project_id}/tools",
    summary:
      "Register a tool (JSON, YAML or multipart `file`); reserved names are refused, and subjects that are no tool's command in this project",
    accepts: "document",
    answer: "Tool",
    status: 201,
    call: ({ kernel, params, body }) => saveTool(kernel, { project_id: id(params, "project_id"), tool: body }),
  }),
  route({
    method: "DELETE",
    path: "/projects/{project_id}/tools/{tool_name}",
    summary: "Take a tool off the register",
    answer: "nothing",
    status: 204,
    call: async ({ kernel, params }) => {
      await deleteTool(kernel, { project_id: id(params, "project_id"), tool_name: id(params, "tool_name") });
      return reply(204);
    },
  }),
];
