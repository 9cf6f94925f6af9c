// A project's tool by name: an unknown tool and a forbidden one are refused in different words.
import type { Tool } from "@/server/contract/tool";
import { columnsOf } from "../columns";
import { type Reader, read } from "../reader";

/** All of resource.tools. */
export const TOOL_COLUMNS = [
  "project_id",
  "tool_name",
  "description",
  "parameters",
  "target_subject",
  "after_execution",
  "options",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof Tool)[];

const FIND = `SELECT ${columnsOf(TOOL_COLUMNS, "tools")} FROM resource.tools WHERE project_id = $1 AND tool_name = $2`;

export type ToolRow = Omit<Tool, "target_subject"> & { target_subject: string | null };

export const toolOf = (row: ToolRow): Tool => ({ ...row, target_subject: row.target_subject ?? undefined });

export async function findTool(reader: Reader, input: { project_id: string; tool_name: string }): Promise<Tool | null> {
  const [row] = await read<ToolRow>(reader, "tool_find", FIND, [input.project_id, input.tool_name]);
  return row ? toolOf(row) : null;
}
