// Registers an external tool, or replaces its definition.
import { KernelError } from "@/server/contract/errors";
import { refuseBadText } from "@/server/contract/text";
import { internalTools, type Tool, ToolBody } from "@/server/contract/tool";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import { readProject } from "./read-project";

const SAVE = `
  INSERT INTO resource.tools (project_id, tool_name, description, parameters, target_subject, after_execution, options)
  VALUES ($1, $2, $3, $4::jsonb, $5, $6, $7::jsonb)
  ON CONFLICT (project_id, tool_name) DO UPDATE SET description = excluded.description, parameters = excluded.parameters,
    target_subject = excluded.target_subject, after_execution = excluded.after_execution, options = excluded.options, updated_at = now()
  RETURNING *`;

/** bad_request for a reserved name, a `.cmd.sys.` subject or a malformed definition. */
export async function saveTool(kernel: Kernel, input: { project_id: string; tool: unknown }): Promise<Tool> {
  const parsed = ToolBody.safeParse(input.tool);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new KernelError(
      "bad_request",
      `tool.${issue?.path.join(".") || "body"}: ${issue?.message ?? "is malformed"}`,
    );
  }
  const tool = parsed.data;
  refuseBadText(tool, "tool");
  if ((internalTools as readonly string[]).includes(tool.tool_name))
    throw new KernelError("bad_request", `tool_name ${tool.tool_name} is Switchyard's own; choose another name`);
  if (tool.target_subject?.includes(".cmd.sys."))
    throw new KernelError(
      "bad_request",
      "target_subject must not contain .cmd.sys., which is the kernel's; use .cmd.tool.",
    );
  await readProject(kernel, input.project_id);
  return withUnit(kernel, async (unit) => {
    const [row] = await unit.query<Omit<Tool, "target_subject"> & { target_subject: string | null }>(
      "tool_save",
      SAVE,
      [
        input.project_id,
        tool.tool_name,
        tool.description,
        JSON.stringify(tool.parameters),
        tool.target_subject ?? null,
        tool.after_execution,
        JSON.stringify(tool.options),
      ],
    );
    if (!row) throw new Error("an upsert answered no row");
    return { ...row, target_subject: row.target_subject ?? undefined };
  });
}
