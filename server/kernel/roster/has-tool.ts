// Whether a project registers a tool of this name: an unknown tool and a forbidden one are refused in different words.
import { type Reader, read } from "../cardbox/reader";

export async function hasTool(reader: Reader, input: { project_id: string; tool_name: string }): Promise<boolean> {
  const rows = await read(
    reader,
    "tool_exists",
    "SELECT 1 AS one FROM resource.tools WHERE project_id = $1 AND tool_name = $2",
    [input.project_id, input.tool_name],
  );
  return rows.length > 0;
}
