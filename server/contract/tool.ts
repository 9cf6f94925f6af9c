// A tool that the project registers. Internal tools are the kernel's own and are never rows.
import * as z from "zod";

export const internalTools = [
  "delegate_async",
  "fork_join",
  "launch_principal",
  "ask_expert",
  "provision_agent",
  "submit_result",
  "think",
  "ask_human",
  "list_capabilities",
  "store_env_data",
  "get_env_data",
  "list_env_data",
  "update_env_data",
  "delete_env_data",
] as const;
export type InternalTool = (typeof internalTools)[number];

export const ToolBody = z.strictObject({
  tool_name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "letters, digits, _ and - only"),
  description: z.string().default(""),
  parameters: z.record(z.string(), z.json()).default({ type: "object", properties: {} }),
  target_subject: z.string().max(256).optional(),
  after_execution: z.enum(["suspend", "terminate"]).default("suspend"),
  options: z.record(z.string(), z.json()).default({}),
});
export type ToolBody = z.infer<typeof ToolBody>;

/** The tool's own time in ms: options.timeout_ms, or options.timeout_seconds; undefined where it says nothing of use. */
export function timeoutOf({ timeout_ms, timeout_seconds }: Record<string, unknown>): number | undefined {
  if (typeof timeout_ms === "number" && timeout_ms > 0) return Math.round(timeout_ms);
  return typeof timeout_seconds === "number" && timeout_seconds > 0 ? Math.round(timeout_seconds * 1000) : undefined;
}

export type Tool = ToolBody & { project_id: string; created_at: string; updated_at: string };
