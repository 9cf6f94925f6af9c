// What profiles would be offered if they were launched now, for a dry run: the kernel's tools, the project's, and those of MCP
// servers as a worker last heard them.
import type { Offer } from "../context/pack-item";
import type { OfferedTool } from "../context/render-request";
import { allowedTools, toolNames } from "./inline-tools";
import { serverKey } from "./save-mcp-offers";

const OFFERS = `
  SELECT (SELECT coalesce(json_agg(json_build_object('tool_name', t.tool_name, 'description', t.description,
      'parameters', t.parameters) ORDER BY t.tool_name), '[]') FROM resource.tools t WHERE t.project_id = $1) AS registered,
    (SELECT coalesce(json_object_agg(m.server_key, m.tools), '{}') FROM resource.mcp_offers m
      WHERE m.project_id = $1 AND m.server_key = ANY ($2::text[])) AS guests`;

type Row = { registered: OfferedTool[]; guests: Record<string, OfferedTool[]> };

/** One statement, however many profiles. */
export const readOffers: Offer = async (unit, { project_id, bodies }) => {
  const keys = bodies.flatMap((body) => (body.mcp_servers ?? []).map(serverKey));
  const [row] = await unit.query<Row>("tool_offers", OFFERS, [project_id, [...new Set(keys)]]);
  if (!row) throw new Error("an aggregate answered no row");
  return bodies.map((body) => {
    const servers = body.mcp_servers ?? [];
    const told = servers.flatMap((server) => row.guests[serverKey(server)] ?? []);
    // The first of two servers of one name has it.
    const guests = [...new Map(told.toReversed().map((tool) => [tool.tool_name, tool])).values()].toReversed();
    const offered = allowedTools(body, row.registered, guests);
    return {
      tools: { offered, ...toolNames(offered) },
      unasked_servers: servers.filter((server) => !row.guests[serverKey(server)]).map((server) => server.name),
    };
  });
};
