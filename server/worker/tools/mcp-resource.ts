// Resources of an MCP server: its tools name them in their results, and a model could not read what was named. A tool of ours
// stands among the server's own and asks that server alone: Switchyard itself never opens an address out of a result.
import type { CallToolResult, Tool as McpTool, ReadResourceResult } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";

/** A server with a tool of this name keeps it: then ours is not offered. */
export const READ_RESOURCE = "read_resource";

const URI_MAX = 2_048;

export const readResourceTool: McpTool = {
  name: READ_RESOURCE,
  description:
    "Read a resource of this MCP server. Its tools name resources in their results, such as [resource docs://rules: Rules]. Returns the text; pictures and other files are kept beside the result.",
  inputSchema: {
    type: "object",
    properties: { uri: { type: "string", description: "The URI of the resource, exactly as the result names it." } },
    required: ["uri"],
    additionalProperties: false,
  },
};

const Arguments = z.strictObject({ uri: z.string().min(1).max(URI_MAX) });

/** The URI that is asked for; null = none that can be sent. */
export function uriIn(args: unknown): string | null {
  const parsed = Arguments.safeParse(args);
  return parsed.success && URL.canParse(parsed.data.uri) ? parsed.data.uri : null;
}

/** As what a tool answers: one text is the text itself, parts of several say which they are. */
export function asToolResult({ contents }: ReadResourceResult, uri: string): CallToolResult {
  const [only] = contents;
  if (contents.length === 1 && only && "text" in only && only.uri === uri)
    return { content: [{ type: "text", text: only.text }] };
  return { content: contents.map((resource) => ({ type: "resource" as const, resource })) };
}
