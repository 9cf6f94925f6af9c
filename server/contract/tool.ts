// A tool that the project registers. Internal tools are the kernel's own and are never rows.
import * as z from "zod";
import { YEAR_S } from "./bounds";
import { isHttpUrl } from "./mcp-server";

/** Every agent has these unless its profile denies them. */
export const universalTools = [
  "think",
  "list_capabilities",
  "store_env_data",
  "get_env_data",
  "list_env_data",
  "update_env_data",
  "delete_env_data",
] as const;

/** These come first, in this order; the rest in the profile's order. */
export const internalTools = [
  ...universalTools,
  "delegate_async",
  "fork_join",
  "ask_expert",
  "launch_plan",
  "build_context_pack",
  "merge_context_packs",
  "ask_human",
  "launch_principal",
  "provision_agent",
  "submit_result",
] as const;
export type InternalTool = (typeof internalTools)[number];

export const ToolBody = z.strictObject({
  tool_name: z
    .string()
    .regex(/^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}$/, "write 1 to 64 letters, digits, _ . and -, and no dot first"),
  description: z.string().default(""),
  parameters: z.record(z.string(), z.json()).default({ type: "object", properties: {} }),
  /** A subject of the bus (`cmd.tool.name`) or an http(s) URL. */
  target_subject: z.string().max(2_048).optional(),
  after_execution: z.enum(["suspend", "terminate"]).default("suspend"),
  options: z.record(z.string(), z.json()).default({}),
});
export type ToolBody = z.infer<typeof ToolBody>;

/**
 * http = a service at a URL, called by the turn's worker. command = a service that gets its calls over the bus.
 * polled = a program that fetches its calls. All results except an immediate http answer are reported over REST.
 */
export type ToolKind = "http" | "command" | "polled";

export function kindOf({ target_subject }: Pick<ToolBody, "target_subject">): ToolKind {
  if (target_subject === undefined) return "polled";
  return isUrl(target_subject) ? "http" : "command";
}

/** Looks like an address; validity is checked elsewhere. */
export const isUrl = (target: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(target);

/** What is wrong with the address of a tool; null = nothing. */
export function faultInUrl(target: string): string | null {
  if (isHttpUrl(target)) return null;
  return "is not the URL of a tool: write http:// or https://, without a name and a password (options.headers may refer to secrets)";
}

/** The tool's timeout in ms from options.timeout_ms or options.timeout_seconds; undefined without a usable value. */
export function timeoutOf({ timeout_ms, timeout_seconds }: Record<string, unknown>): number | undefined {
  // Also caps tools saved before there was a limit.
  const within = (ms: number) => Math.min(Math.round(ms), YEAR_S * 1_000);
  if (typeof timeout_ms === "number" && timeout_ms > 0) return within(timeout_ms);
  return typeof timeout_seconds === "number" && timeout_seconds > 0 ? within(timeout_seconds * 1_000) : undefined;
}

export type Tool = ToolBody & { project_id: string; created_at: string; updated_at: string };
