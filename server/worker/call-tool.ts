// One tool call, and the card of its result. Whatever goes wrong in a tool is its result; only a lost lease and a database
// that is away are not.
import type { Card, CardContent } from "@/server/contract/card";
import { KernelError } from "@/server/contract/errors";
import { mendText } from "@/server/contract/text";
import type { Kernel } from "@/server/kernel/kernel";
import type { Scene } from "@/server/kernel/provenance/read-scene";
import { hasTool } from "@/server/kernel/roster/has-tool";
import type { TurnCard } from "@/server/kernel/turns/append-cards";
import { log } from "@/server/log";
import { rejected, type ToolOutcome } from "./tools/inline-tool";
import { allowedTools, findTool, isOurs } from "./tools/inline-tools";
import { TurnLost } from "./turn-lost";
import { isAway } from "./until-written";

export type ToolCall = { kernel: Kernel; scene: Scene; step_id: string; card: Card; is_only_call: boolean };

type ToolResult = Omit<Extract<CardContent, { kind: "tool_result" }>, "kind">;

/** A `tool.result` card. Rejects with TurnLost, or when the database is away; the same call may then be made again. */
export async function callTool(call: ToolCall): Promise<TurnCard> {
  const { card, step_id } = call;
  const tool_name = card.content?.kind === "tool_call" ? card.content.tool_name : "?";
  const { value, mended } = mendText(asResult(await outcomeOf(call, tool_name)));
  return {
    type: "tool.result",
    author_id: `tool.${tool_name}`.slice(0, 256),
    tool_call_id: card.tool_call_id,
    content: { kind: "tool_result", ...value },
    metadata: { step_id, function_name: tool_name, ...(mended && { is_mended: true }) },
  };
}

async function outcomeOf(
  { kernel, scene, step_id, card, is_only_call }: ToolCall,
  tool_name: string,
): Promise<ToolOutcome> {
  const { turn, profile, required_fields } = scene;
  const args = card.content?.kind === "tool_call" ? card.content.arguments : null;
  try {
    const isRegistered = !isOurs(tool_name) && (await hasTool(kernel, { project_id: turn.project_id, tool_name }));
    const tool = findTool(profile, tool_name, isRegistered);
    if (!("run" in tool)) return tool;
    if (args === null || typeof args !== "object" || Array.isArray(args)) return notJson(args);
    return await tool.run(
      {
        kernel,
        turn,
        profile,
        step_id,
        tool_call_id: card.tool_call_id ?? "",
        is_only_call,
        allowed: allowedTools(profile),
        required_fields,
      },
      args,
    );
  } catch (error) {
    if (error instanceof TurnLost || isAway(error)) throw error;
    if (error instanceof KernelError) return rejected(error.code, error.message);
    log().error({ tool_name, agent_turn_id: turn.agent_turn_id, err: error }, "a tool broke");
    return rejected("internal_error", error instanceof Error ? error.message : String(error));
  }
}

function notJson(args: unknown): ToolOutcome {
  if (typeof args !== "string") return rejected("bad_request", "arguments must be a JSON object");
  try {
    JSON.parse(args);
    return rejected("bad_request", "arguments must be a JSON object");
  } catch (error) {
    return rejected("bad_request", `arguments are not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

/** Only what JSON can say is a result, and nothing is none. */
function asResult(outcome: ToolOutcome | undefined): ToolResult {
  const { status, result } = outcome ?? {};
  if (outcome === undefined || (status === "success" && result === undefined))
    return asResult(rejected("internal_error", "the tool answered nothing"));
  try {
    return JSON.parse(JSON.stringify(outcome));
  } catch {
    return asResult(rejected("result_not_serializable", "the tool's result cannot be written as JSON"));
  }
}
