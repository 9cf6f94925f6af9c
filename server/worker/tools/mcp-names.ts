// Tools of MCP servers under names that every provider takes: server__tool, 64 letters at most. Pure, so that a name means
// the same tool in every turn and on every worker.
import { createHash } from "node:crypto";
import { MCP_SEPARATOR } from "@/server/contract/mcp-server";

const LENGTH_MAX = 64;
const HASH_LENGTH = 8;

/** By the offered name, in the order given. A name that would be ambiguous or too long ends with a hash of the tool's name. */
export function mcpNames(server: string, tools: readonly string[]): Map<string, string> {
  const plain = tools.map((tool) => `${server}${MCP_SEPARATOR}${tool.replaceAll(/[^A-Za-z0-9_-]/g, "_")}`);
  // Counted once: a list of 20,000 names held its worker for seconds.
  const counts = new Map<string, number>();
  for (const name of plain) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = new Map<string, string>();
  for (const [i, tool] of tools.entries()) {
    const name = plain[i] ?? "";
    const isClear = name.length <= LENGTH_MAX && counts.get(name) === 1;
    names.set(isClear ? name : `${name.slice(0, LENGTH_MAX - HASH_LENGTH - 1)}_${hashOf(tool)}`, tool);
  }
  return names;
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, HASH_LENGTH);
