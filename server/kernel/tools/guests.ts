// Tools that are not registered anywhere: those of servers that a profile names. Whoever runs the turn is connected to them
// and brings them along; the kernel checks them like any other.
import type { Tool } from "@/server/contract/tool";
import type { OfferedTool } from "../context/render-request";
import type { ToolAnswer } from "./inline-tool";
import type { McpOffer } from "./save-mcp-offers";

export type GuestCall = {
  tool_name: string;
  arguments: Record<string, unknown>;
  tool_call_id: string;
  traceparent?: string;
};

/** The files that came along have no `artifacts` yet. */
export type GuestAnswer = ToolAnswer;

export type Guests = {
  tools: OfferedTool[];
  /** The same by server, of those that answered. */
  offers: McpOffer[];
  /** Servers that cannot be asked now: their names, and why. */
  away: { server: string; reason: string }[];
  /** Tools that a server lists and nobody can call: their names as the server has them, and why. */
  left_out: { server: string; tool: string; reason: string }[];
  /** Rejects only with the signal's reason. */
  call: (call: GuestCall, signal: AbortSignal | undefined) => Promise<GuestAnswer>;
};

/** The guest of this name, in the shape of a registered tool. */
export function findGuest(guests: Guests | undefined, tool_name: string): Tool | null {
  const guest = guests?.tools.find((tool) => tool.tool_name === tool_name);
  if (!guest) return null;
  const parameters = guest.parameters as Tool["parameters"];
  return {
    ...guest,
    parameters,
    after_execution: "suspend",
    options: {},
    project_id: "",
    created_at: "",
    updated_at: "",
  };
}
