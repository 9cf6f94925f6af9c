// A tool that the project registers. Internal tools are the kernel's own and are never rows.
import * as z from "zod";
import { YEAR_S } from "./bounds";
import { isHttpUrl } from "./mcp-server";

/** What every agent has, unless its profile denies it. */
export const universalTools = [
  "think",
  "list_capabilities",
  "store_env_data",
  "get_env_data",
  "list_env_data",
  "update_env_data",
  "delete_env_data",
] as const;

/** In the order in which they are offered. */
export const internalTools = [
  ...universalTools,
  "delegate_async",
  "fork_join",
  "ask_expert",
  "ask_human",
  "launch_principal",
  "provision_agent",
  "submit_result",
] as const;
export type InternalTool = (typeof internalTools)[number];

export const ToolBody = z.strictObject({
  tool_name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "letters, digits, _ and - only"),
  description: z.string().default(""),
  parameters: z.record(z.string(), z.json()).default({ type: "object", properties: {} }),
  /** A subject of the bus (`cmd.tool.name`) or an http(s) URL. */
  target_subject: z.string().max(2_048).optional(),
  after_execution: z.enum(["suspend", "terminate"]).default("suspend"),
  options: z.record(z.string(), z.json()).default({}),
});
export type ToolBody = z.infer<typeof ToolBody>;

/**
 * http = a service behind a URL, asked by whoever runs the turn. command = a service that hears its calls on the bus.
 * polled = a program that looks for calls by itself. All but an http answer at once are reported over REST.
 */
export type ToolKind = "http" | "command" | "polled";

export function kindOf({ target_subject }: Pick<ToolBody, "target_subject">): ToolKind {
  if (target_subject === undefined) return "polled";
  return isUrl(target_subject) ? "http" : "command";
}

/** Meant as an address: whether it is a good one is another question. */
export const isUrl = (target: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(target);

/** What is wrong with the address of a tool; null = nothing. */
export function faultInUrl(target: string): string | null {
  if (isHttpUrl(target)) return null;
  return "is no address of a tool: write http:// or https://, without a name and a password (options.headers may refer to secrets)";
}

/** The tool's own time in ms: options.timeout_ms, or options.timeout_seconds; undefined where it says nothing of use. */
export function timeoutOf({ timeout_ms, timeout_seconds }: Record<string, unknown>): number | undefined {
  // Of tools that were saved before there was a bound, too.
  const within = (ms: number) => Math.min(Math.round(ms), YEAR_S * 1_000);
  if (typeof timeout_ms === "number" && timeout_ms > 0) return within(timeout_ms);
  return typeof timeout_seconds === "number" && timeout_seconds > 0 ? within(timeout_seconds * 1_000) : undefined;
}

export type Tool = ToolBody & { project_id: string; created_at: string; updated_at: string };
