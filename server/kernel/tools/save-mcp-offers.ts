// What MCP servers offer, as a worker heard it: only workers can ask, since addresses and secrets are in their environment. The
// preview of a launch weighs their tools by it (read-offers.ts).

import { canonicalJson } from "@/server/contract/canonical-json";
import type { McpServerRef } from "@/server/contract/mcp-server";
import { sha256 } from "../cardbox/canonical-json";
import type { OfferedTool } from "../context/render-request";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";

/** Named as a model is shown them. */
export type McpOffer = { server: McpServerRef; tools: OfferedTool[] };

// Unchanged offers are not written: every turn of an agent with a server comes by here.
const SAVE = `
  INSERT INTO resource.mcp_offers (project_id, server_key, server_name, tools)
  SELECT $1, g.server_key, g.server_name, g.tools
  FROM json_to_recordset($2::json) AS g(server_key text, server_name text, tools json)
  WHERE NOT EXISTS (SELECT 1 FROM resource.mcp_offers m
    WHERE m.project_id = $1 AND m.server_key = g.server_key AND m.tools::text = g.tools::text)
  ON CONFLICT (project_id, server_key) DO UPDATE SET tools = excluded.tools, told_at = now()`;

export async function saveMcpOffers(kernel: Kernel, input: { project_id: string; offers: McpOffer[] }): Promise<void> {
  if (input.offers.length === 0) return;
  const rows = input.offers.map(({ server, tools }) => ({
    server_key: serverKey(server),
    server_name: server.name,
    tools,
  }));
  await withUnit(kernel, async (unit) => {
    await unit.query("mcp_offers_save", SAVE, [input.project_id, JSON.stringify(rows)]);
  });
}

export const serverKey = (server: McpServerRef): string => sha256(canonicalJson(server));
