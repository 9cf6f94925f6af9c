// MCP servers: what a profile may set, and what the server's configuration sets. A profile is data, so it gives addresses,
// never commands.
import * as z from "zod";
import { faultInHeaders } from "./outbound";

/** No two underscores in a row: they separate a server from its tool. */
const name = z
  .string()
  .regex(/^(?!.*__)[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/, "at most 32 letters, digits, _ and -, without two _ in a row");

const Address = z
  .string()
  .refine((text) => isHttpUrl(text), "write http:// or https://, without a name and a password");

const Headers = z.record(z.string(), z.string()).superRefine((headers, context) => {
  const fault = faultInHeaders(headers);
  if (fault !== null) context.addIssue({ code: "custom", message: fault });
});

const seconds = z.number().positive().max(3_600).optional();

/** `name` alone = a server from the configuration. */
export const McpServerRef = z.union([
  name.transform((known) => ({ name: known })),
  z.strictObject({ name, url: Address.optional(), headers: Headers.optional(), timeout_seconds: seconds }),
]);
export type McpServerRef = { name: string; url?: string; headers?: Record<string, string>; timeout_seconds?: number };

const common = {
  timeout_seconds: seconds,
  /** Absent = every project. */
  projects: z.array(z.string()).optional(),
};

/** Values of `env` and `headers` may refer to `${env:NAME}`, any variable of the process. */
export const McpServerConfig = z.union(
  [
    z.strictObject({
      command: z.string().min(1),
      args: z.array(z.string()).default([]),
      env: z.record(z.string(), z.string()).default({}),
      cwd: z.string().optional(),
      ...common,
    }),
    z.strictObject({ url: Address, headers: z.record(z.string(), z.string()).default({}), ...common }),
  ],
  "a server is {command, args, env, cwd} or {url, headers}, optionally with timeout_seconds and projects",
);
export type McpServerConfig = z.infer<typeof McpServerConfig>;

export const McpServers = z.record(name, McpServerConfig);
export type McpServers = z.infer<typeof McpServers>;

/** The name under which a model sees the tool of a server. */
export const MCP_SEPARATOR = "__";

export function isHttpUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { hostname, username, password } = new URL(text);
  return hostname !== "" && username === "" && password === "";
}
