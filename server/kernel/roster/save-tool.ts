// Registers an external tool, or replaces its definition.
import { YEAR_S } from "@/server/contract/bounds";
import { KernelError } from "@/server/contract/errors";
import { faultInHeaders } from "@/server/contract/outbound";
import { shapeFault } from "@/server/contract/shape-fault";
import { isCommandSubject } from "@/server/contract/subject";
import { refuseBadText } from "@/server/contract/text";
import { faultInUrl, internalTools, isUrl, type Tool, ToolBody } from "@/server/contract/tool";
import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import { TOOL_COLUMNS } from "./find-tool";
import { readProject } from "./read-project";

const SAVE = `
  INSERT INTO resource.tools (project_id, tool_name, description, parameters, target_subject, after_execution, options)
  VALUES ($1, $2, $3, $4::jsonb, $5, $6, $7::jsonb)
  ON CONFLICT (project_id, tool_name) DO UPDATE SET description = excluded.description, parameters = excluded.parameters,
    target_subject = excluded.target_subject, after_execution = excluded.after_execution, options = excluded.options, updated_at = now()
  RETURNING ${columnsOf(TOOL_COLUMNS, "tools")}`;

/** bad_request for a reserved name, a subject outside the project's own `cmd.tool`, or a malformed definition. */
export async function saveTool(kernel: Kernel, input: { project_id: string; tool: unknown }): Promise<Tool> {
  const parsed = ToolBody.safeParse(input.tool);
  if (!parsed.success) {
    const { path, message } = shapeFault(parsed.error, "tool");
    throw new KernelError("bad_request", `${path}: ${message}`, { path });
  }
  const tool = parsed.data;
  refuseBadText(tool, "tool");
  if ((internalTools as readonly string[]).includes(tool.tool_name))
    throw new KernelError("bad_request", `tool_name ${tool.tool_name} is Switchyard's own; choose another name`);
  refuseBadTimes(tool);
  refuseBadTarget(input.project_id, tool);
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

const bad = (message: string): KernelError => new KernelError("bad_request", message);

/** By the name of the option, the most it may be. */
const TIMES = { timeout_ms: YEAR_S * 1_000, timeout_seconds: YEAR_S };

function refuseBadTimes({ options }: ToolBody): void {
  for (const [name, max] of Object.entries(TIMES)) {
    const value = options[name];
    if (typeof value === "number" && (value < 0 || value > max))
      throw bad(`options.${name}: write a number from 0 (no limit of its own) to ${max}`);
  }
}

function refuseBadTarget(project_id: string, { tool_name, target_subject, options }: ToolBody): void {
  if (options.url !== undefined) throw bad("options.url: write the tool's URL in target_subject");
  if (target_subject === undefined || !isUrl(target_subject)) {
    if (options.headers !== undefined) throw bad("options.headers: only HTTP tools are sent headers");
    if (target_subject === undefined) return;
    // Such a tool used to be saved, and every call of it waited in vain, because the bus refuses subjects outside the
    // project.
    if (target_subject.length > 256 || !isCommandSubject({ project_id, target_subject }))
      throw bad(
        `target_subject ${target_subject.slice(0, 80)} is not a valid tool subject; write cmd.tool.${tool_name}, or cg.v1r4.{project}.{channel}.cmd.tool.${tool_name}, or the http(s) URL of its service`,
      );
    return;
  }
  const fault = faultInUrl(target_subject);
  // Without the address: the part before its @ may be a password.
  if (fault !== null) throw bad(`target_subject ${fault}`);
  const inHeaders = faultInHeaders(options.headers);
  if (inHeaders !== null) throw bad(`options.headers: ${inHeaders}`);
}
