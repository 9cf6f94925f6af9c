// Tools of MCP servers under names that every provider takes: server__tool, 64 letters at most. Pure, so that a name means
// the same tool in every turn and on every worker.
import { createHash } from "node:crypto";
import { MCP_SEPARATOR } from "@/server/contract/mcp-server";

const LENGTH_MAX = 64;
/** A server can name tools so that two hashes share eight characters, or one name equals another's hash: then more are used. */
const HASH_LENGTHS = [8, 16, 24, 32, 40];

/** By the offered name, in the order given. A name that would be ambiguous or too long ends with a hash of the tool's name. */
export function mcpNames(server: string, tools: readonly string[]): Map<string, string> {
  const plain = new Map(
    tools.map((tool) => [tool, `${server}${MCP_SEPARATOR}${tool.replaceAll(/[^A-Za-z0-9_-]/g, "_")}`]),
  );
  // Counted once: a list of 20,000 names held its worker for seconds.
  const counts = new Map<string, number>();
  for (const name of plain.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  // With a server `a`, whose tool is `_b`, one called `a_` with a tool `b` has the same name.
  const isClear = (name: string) => name.length <= LENGTH_MAX && counts.get(name) === 1 && !server.endsWith("_");
  const taken = new Set([...plain.values()].filter(isClear));
  const given = new Map<string, string>();
  // Sorted, since a server may list its tools in another order next time.
  for (const [tool, name] of [...plain].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const own = isClear(name) ? name : hashed(server, tool, name, taken);
    taken.add(own);
    given.set(tool, own);
  }
  return new Map([...plain.keys()].map((tool) => [given.get(tool) ?? "", tool]));
}

function hashed(server: string, tool: string, name: string, taken: ReadonlySet<string>): string {
  const digest = createHash("sha256")
    .update(server.endsWith("_") ? `${server} ${tool}` : tool)
    .digest("hex");
  const made = HASH_LENGTHS.map((length) => `${name.slice(0, LENGTH_MAX - length - 1)}_${digest.slice(0, length)}`);
  const free = made.find((one) => !taken.has(one));
  if (free === undefined) throw new Error(`no name is left for the tool ${tool.slice(0, 100)}`);
  return free;
}
