// The MCP servers named by the profiles of running turns. A worker connects when the first turn needs one and keeps the
// connection for later turns; each project has its own, because a server may remember what it was told.
import type { McpServerRef } from "@/server/contract/mcp-server";
import { strikeOut } from "@/server/contract/outbound";
import type { ProfileBody } from "@/server/contract/profile";
import { mendText } from "@/server/contract/text";
import type { OfferedTool } from "@/server/kernel/context/render-request";
import type { GuestAnswer, GuestCall, Guests } from "@/server/kernel/tools/guests";
import { rejected } from "@/server/kernel/tools/inline-tool";
import type { Tunables } from "@/server/kernel/tunables";
import { log } from "@/server/log";
import { connectMcp, type McpConnection, type McpOffered, StaleSession } from "./mcp-connection";
import { mcpNames } from "./mcp-names";
import { type McpSettings, reach } from "./mcp-transport";

export type McpOptions = McpSettings & {
  tunables: Tunables;
  version: string;
  /** An unreachable server is not tried again for this long, because every turn would wait for it. */
  awayMs?: number;
  /** A connection that has not been used for this long is closed. */
  idleMs?: number;
};

export type McpServers = {
  /** Undefined for a profile that names none. Rejects only with the signal's reason. */
  guestsOf: (input: { project_id: string; profile: ProfileBody; signal: AbortSignal }) => Promise<Guests | undefined>;
  /** Ends the child processes it started. */
  close: () => Promise<void>;
};

type Entry = { connecting: Promise<McpConnection>; open?: McpConnection; usedAt: number; failedAt?: number };
type Server = { name: string; ref: McpServerRef; connection: () => Promise<McpConnection> };

export function createMcpServers(options: McpOptions): McpServers {
  const { tunables, version, awayMs = 15_000, idleMs = 600_000 } = options;
  const entries = new Map<string, Entry>();
  const sweeping = setInterval(sweep, Math.min(idleMs, 60_000)).unref();
  let isClosed = false;

  function connection(ref: McpServerRef, project_id: string): Promise<McpConnection> {
    if (isClosed) return Promise.reject(new Error("the worker stops"));
    const key = JSON.stringify([project_id, ref]);
    const known = entries.get(key);
    const isGone = known?.open ? !known.open.isOpen() : Date.now() - (known?.failedAt ?? Date.now()) > awayMs;
    if (known && !isGone) {
      known.usedAt = Date.now();
      return known.connecting;
    }
    const entry: Entry = { connecting: connect(ref, project_id), usedAt: Date.now() };
    entries.set(key, entry);
    entry.connecting.then(
      (open) => {
        entry.open = open;
      },
      () => {
        entry.failedAt = Date.now();
      },
    );
    return entry.connecting;
  }

  async function connect(ref: McpServerRef, project_id: string): Promise<McpConnection> {
    const reached = reach(options, ref, project_id);
    try {
      const { toolTimeoutMs: timeoutMs, jsonBytesMax: bytesMax, artifactBytesMax: fileBytesMax } = tunables;
      const open = await connectMcp({ reached, version, timeoutMs, bytesMax, fileBytesMax });
      // Otherwise a server that connects and then goes silent would delay every turn again.
      await open.tools();
      return open;
    } catch (error) {
      const reason = strikeOut(reasonOf(error), reached.secrets);
      log().warn({ server: ref.name, project_id, reason }, "an MCP server cannot be reached");
      throw new Error(reason);
    }
  }

  function sweep(): void {
    for (const [key, { open, usedAt, failedAt }] of entries) {
      if (failedAt !== undefined && Date.now() - failedAt > awayMs) entries.delete(key);
      if (!open || open.active() > 0 || Date.now() - usedAt < idleMs) continue;
      entries.delete(key);
      void open.close();
    }
  }

  return {
    guestsOf: async ({ project_id, profile, signal }) => {
      const refs = profile.mcp_servers ?? [];
      if (refs.length === 0) return undefined;
      const servers = refs.map((ref) => ({ name: ref.name, ref, connection: () => connection(ref, project_id) }));
      signal.throwIfAborted();
      const guests = gather(servers);
      const aborted = new Promise<never>((_done, refuse) => {
        signal.addEventListener("abort", () => refuse(signal.reason), { once: true });
      });
      // A server that is slow to connect must not delay stopping a turn.
      return Promise.race([guests, aborted]);
    },
    close: async () => {
      isClosed = true;
      clearInterval(sweeping);
      const all = [...entries.values()];
      entries.clear();
      await Promise.all(all.map(({ connecting }) => connecting.then((open) => open.close()).catch(() => undefined)));
    },
  };
}

async function gather(servers: Server[]): Promise<Guests> {
  const owners = new Map<string, { server: Server; tool: string }>();
  const guests: Guests = {
    tools: [],
    offers: [],
    away: [],
    left_out: [],
    call: (call, signal) => callOne(owners, call, signal),
  };
  const offers = await Promise.all(servers.map(offerOf));
  for (const { server, tools, left_out, reason } of offers) {
    for (const one of left_out) guests.left_out.push({ server: server.name, ...one });
    if (reason !== undefined) guests.away.push({ server: server.name, reason });
    const names = mcpNames(
      server.name,
      tools.map((tool) => tool.name),
    );
    const offered: OfferedTool[] = [];
    const byName = new Map(tools.toReversed().map((tool) => [tool.name, tool]));
    for (const [tool_name, name] of names) {
      const found = byName.get(name);
      if (!found) continue;
      const description = found.description ?? found.title ?? "";
      // It becomes part of a card, and of every later request.
      const { value } = mendText({ description, parameters: found.inputSchema });
      const tool = { tool_name, ...value };
      offered.push(tool);
      const owner = owners.get(tool_name);
      if (owner) {
        // The first of two servers of one name has it.
        const reason = `${owner.server.name} has a tool that is named alike; rename one of the servers`;
        if (owner.server.name !== server.name) guests.left_out.push({ server: server.name, tool: name, reason });
        continue;
      }
      owners.set(tool_name, { server, tool: name });
      guests.tools.push(tool);
    }
    if (reason === undefined) guests.offers.push({ server: server.ref, tools: offered });
  }
  return guests;
}

type Offer = McpOffered & { server: Server; reason?: string };

async function offerOf(server: Server): Promise<Offer> {
  try {
    const ask = async () => (await server.connection()).tools();
    const offered = await ask().catch((error: unknown) => {
      if (error instanceof StaleSession) return ask();
      throw error;
    });
    return { server, ...offered };
  } catch (error) {
    return { server, tools: [], left_out: [], reason: reasonOf(error) };
  }
}

async function callOne(
  owners: Map<string, { server: Server; tool: string }>,
  call: GuestCall,
  signal: AbortSignal | undefined,
): Promise<GuestAnswer> {
  const owner = owners.get(call.tool_name);
  if (!owner) return rejected("not_found", `tool ${call.tool_name} not found`);
  for (let attempt = 1; ; attempt++) {
    let open: McpConnection;
    try {
      open = await owner.server.connection();
    } catch (error) {
      signal?.throwIfAborted();
      return rejected(
        "upstream_unavailable",
        `MCP server ${owner.server.name} is not available: ${reasonOf(error)}; try again later`,
      );
    }
    try {
      return await open.call(owner.tool, call, signal);
    } catch (error) {
      if (!(error instanceof StaleSession)) throw error;
      // Nothing was done in a session that the server does not know: it was restarted.
      await open.close();
      if (attempt === 2)
        return rejected(
          "upstream_unavailable",
          `MCP server ${owner.server.name} lost its sessions repeatedly; try again later`,
        );
    }
  }
}

/** One line; the cause of a failed fetch says more than the failure itself. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, 200);
  const { cause } = error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const text = code === "" ? error.message : `${error.message} (${code})`;
  return text.replaceAll(/\s+/g, " ").slice(0, 200);
}
