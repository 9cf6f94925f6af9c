// The MCP servers that the profiles of running turns name. A worker connects when the first turn needs one and keeps the
// connection for the next; each project has its own, since a server may remember what it was told.
import type { McpServerRef } from "@/server/contract/mcp-server";
import { strikeOut } from "@/server/contract/outbound";
import type { ProfileBody } from "@/server/contract/profile";
import { mendText } from "@/server/contract/text";
import type { OfferedTool } from "@/server/kernel/context/render-request";
import type { GuestAnswer, GuestCall, Guests } from "@/server/kernel/tools/guests";
import { rejected } from "@/server/kernel/tools/inline-tool";
import type { Tunables } from "@/server/kernel/tunables";
import { log } from "@/server/log";
import { connectMcp, type McpConnection, StaleSession } from "./mcp-connection";
import { mcpNames } from "./mcp-names";
import { type McpSettings, reach } from "./mcp-transport";

export type McpOptions = McpSettings & {
  tunables: Tunables;
  version: string;
  /** A server that could not be reached is not tried again for so long: every turn would wait for it. */
  awayMs?: number;
  /** A connection that nobody has used for so long is closed. */
  idleMs?: number;
};

export type McpServers = {
  /** Undefined for a profile that names none. Rejects only with the signal's reason. */
  guestsOf: (input: { project_id: string; profile: ProfileBody; signal: AbortSignal }) => Promise<Guests | undefined>;
  /** Ends the children it has started. */
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
      // Else a server that greets and says no more would hold up every turn anew.
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
      // A server that takes its time to greet must not keep a turn that is stopped.
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
  const guests: Guests = { tools: [], offers: [], away: [], call: (call, signal) => callOne(owners, call, signal) };
  const offers = await Promise.all(servers.map(offerOf));
  for (const { server, tools, reason } of offers) {
    if (reason !== undefined) guests.away.push({ server: server.name, reason });
    const names = mcpNames(
      server.name,
      tools.map((tool) => tool.name),
    );
    const offered: OfferedTool[] = [];
    for (const [tool_name, name] of names) {
      const found = tools.find((tool) => tool.name === name);
      if (!found) continue;
      const description = found.description ?? found.title ?? "";
      // It becomes part of a card, and of every request.
      const { value } = mendText({ description, parameters: found.inputSchema });
      const tool = { tool_name, ...value };
      offered.push(tool);
      // The first of two servers of one name has it.
      if (owners.has(tool_name)) continue;
      owners.set(tool_name, { server, tool: name });
      guests.tools.push(tool);
    }
    if (reason === undefined) guests.offers.push({ server: server.ref, tools: offered });
  }
  return guests;
}

type Offer = { server: Server; tools: Awaited<ReturnType<McpConnection["tools"]>>; reason?: string };

async function offerOf(server: Server): Promise<Offer> {
  try {
    const ask = async () => (await server.connection()).tools();
    const tools = await ask().catch((error: unknown) => {
      if (error instanceof StaleSession) return ask();
      throw error;
    });
    return { server, tools };
  } catch (error) {
    return { server, tools: [], reason: reasonOf(error) };
  }
}

async function callOne(
  owners: Map<string, { server: Server; tool: string }>,
  call: GuestCall,
  signal: AbortSignal | undefined,
): Promise<GuestAnswer> {
  const owner = owners.get(call.tool_name);
  if (!owner) return rejected("not_found", `there is no tool ${call.tool_name}`);
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
      // Nothing was done under a session that the server does not know: it was restarted.
      await open.close();
      if (attempt === 2)
        return rejected(
          "upstream_unavailable",
          `MCP server ${owner.server.name} lost its sessions repeatedly; try again later`,
        );
    }
  }
}

/** One line; the cause of a failed fetch says more than the failure. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, 200);
  const { cause } = error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const text = code === "" ? error.message : `${error.message} (${code})`;
  return text.replaceAll(/\s+/g, " ").slice(0, 200);
}
