// A turn whose server is away runs without it, and says so at each step: else its agent looks as if it did not want to.
import type { Guests } from "@/server/kernel/tools/guests";

export const lacks = ({ guests }: { guests?: Guests }): string[] =>
  (guests?.away ?? []).map(({ server, reason }) => `without MCP server ${server}: ${reason}`);
