// How to reach an MCP server: a child process, by a command that only the server's configuration can set, or a URL. Secrets
// are filled in here and kept nowhere else.
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { McpServerConfig, McpServerRef, McpServers } from "@/server/contract/mcp-server";
import { fillReferences, type Outbound, refusalOf, strikeOut } from "@/server/contract/outbound";
import { toolFetch } from "@/server/kernel/tools/tool-fetch";
import { log } from "@/server/log";
import { boundAnswer } from "./bounded-answer";
import { endBroken } from "./broken-answer";

export type McpSettings = {
  servers: McpServers;
  outbound: Outbound;
  /** A variable that the configuration refers to. */
  variable: (name: string) => string | undefined;
};

/** `secrets` = values that must not be repeated. */
export type Reached = { transport: Transport; secrets: string[]; timeout_seconds?: number };

/** Throws an Error whose message says what is wrong and what to do, and repeats no secret. */
export function reach(settings: McpSettings, ref: McpServerRef, project_id: string): Reached {
  if (ref.url !== undefined) return reachAddress(settings, ref, ref.url);
  const config = Object.hasOwn(settings.servers, ref.name) ? settings.servers[ref.name] : undefined;
  if (!config || (config.projects && !config.projects.includes(project_id)))
    throw new Error(
      `no server of this name is configured for this project: add it to SWITCHYARD_MCP_SERVERS, or give its url in the profile`,
    );
  const timeout_seconds = ref.timeout_seconds ?? config.timeout_seconds;
  return {
    ...("command" in config ? spawned(settings, ref.name, config) : dialled(settings, config)),
    timeout_seconds,
  };
}

/** One message over standard streams: it is held in memory, and copied for each piece that comes. */
export const MESSAGE_BYTES_MAX = 10_485_760;

type Command = Extract<McpServerConfig, { command: string }>;
type Address = Extract<McpServerConfig, { url: string }>;

function spawned({ variable }: McpSettings, name: string, { command, args, env, cwd }: Command): Reached {
  const filled = fillAll(env, variable, "env");
  // From our own environment it gets what a shell needs, and none of our keys.
  const transport = new StdioClientTransport({
    command,
    args,
    env: { ...getDefaultEnvironment(), ...filled.texts },
    stderr: "pipe",
    maxBufferSize: MESSAGE_BYTES_MAX,
    ...(cwd !== undefined && { cwd }),
  });
  transport.stderr?.on("data", (chunk: Buffer) => {
    log().debug(
      { server: name, said: strikeOut(String(chunk).slice(0, 2_000), filled.secrets) },
      "output of an MCP server",
    );
  });
  return { transport, secrets: filled.secrets };
}

/** Set by the operator, so it needs no permission. */
function dialled({ variable }: McpSettings, { url, headers }: Address): Reached {
  const filled = fillAll(headers, variable, "headers");
  return { transport: http(new URL(url), filled.texts), secrets: filled.secrets };
}

function reachAddress({ outbound }: McpSettings, { headers, timeout_seconds }: McpServerRef, address: string): Reached {
  const url = new URL(address);
  const forbidden = refusalOf(outbound, url);
  if (forbidden !== null) throw new Error(forbidden);
  const filled = fillAll(headers ?? {}, (name) => outbound.secret(name, url.origin), "headers");
  return {
    transport: http(url, filled.texts),
    secrets: filled.secrets,
    timeout_seconds,
  };
}

function http(url: URL, headers: Record<string, string>): Transport {
  return new StreamableHTTPClientTransport(url, {
    requestInit: { headers },
    redirectPolicy: "same-origin",
    // Checked for every request: the headers must not go where a server redirects its client.
    fetch: (to, init) => {
      const { origin } = new URL(to);
      if (origin === url.origin)
        return toolFetch(to, init).then((response) => endBroken(init?.body, boundAnswer(response)));
      return Promise.reject(new Error(`${origin} is not the server's origin`));
    },
  });
}

function fillAll(texts: Record<string, string>, lookUp: (name: string) => string | undefined, what: string) {
  const filled: Record<string, string> = {};
  const secrets: string[] = [];
  for (const [name, text] of Object.entries(texts)) {
    const { text: value, values, missing } = fillReferences(text, lookUp);
    if (missing.length > 0)
      throw new Error(`${what}.${name}: variable ${missing.join(", ")} may not be sent there or has no value`);
    if (what === "headers" && !/^[\x20-\x7e]*$/.test(value))
      throw new Error(`${what}.${name}: the variable's value must be one line of plain ASCII`);
    filled[name] = value;
    secrets.push(...values);
  }
  return { texts: filled, secrets };
}
