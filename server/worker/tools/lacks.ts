// A turn whose server is away runs without it and says so at each step; otherwise its agent would seem unwilling. The same
// for a tool that the server lists but nobody can call.
import type { Guests } from "@/server/kernel/tools/guests";

export const lacks = ({ guests }: { guests?: Guests }): string[] => [
  ...(guests?.away ?? []).map(({ server, reason }) => `without MCP server ${server}: ${reason}`),
  ...(guests?.left_out ?? []).map(({ server, tool, reason }) => `without ${tool} of MCP server ${server}: ${reason}`),
];
