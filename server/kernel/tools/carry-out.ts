// One tool call carried out: whatever goes wrong in a tool is its result. Only a lost lease and a database that is away
// are not.
import type { Card, CardContent } from "@/server/contract/card";
import { KernelError } from "@/server/contract/errors";
import { mendText } from "@/server/contract/text";
import { log } from "@/server/log";
import type { Kernel } from "../kernel";
import type { Scene } from "../provenance/read-scene";
import { findTool as findRegistered } from "../roster/find-tool";
import type { TurnCard } from "../turns/append-cards";
import { type Fenced, isFenced } from "../turns/fenced";
import { storageError } from "../unit";
import { clearCall } from "./approval";
import { callExternal } from "./call-external";
import { rejected, type ToolAnswer, type ToolContext, type ToolOutcome, type ToolWait } from "./inline-tool";
import { findTool, isOurs } from "./inline-tools";

/** `card` is the stored tool.call. `allowed` = what the turn was offered. `is_approved` = it has read that a person approved. */
export type CarryOut = {
  kernel: Kernel;
  scene: Scene;
  step_id: string;
  card: Card;
  is_only_call: boolean;
  allowed: ToolContext["allowed"];
  is_approved: boolean;
};

/** A `tool.result` card, or that it comes later. Rejects when the database is away; the call may then be made again. */
export async function carryOut(call: CarryOut): Promise<{ card: TurnCard } | { wait: ToolWait } | Fenced> {
  const { card, step_id } = call;
  const tool_name = card.content?.kind === "tool_call" ? card.content.tool_name : "?";
  const outcome = await outcomeOf(call, tool_name);
  if (outcome && isFenced(outcome)) return outcome;
  if (outcome?.status === "suspended") return { wait: outcome };
  const { value, mended } = mendText(asResult(outcome));
  return {
    card: {
      type: "tool.result",
      author_id: `tool.${tool_name}`.slice(0, 256),
      tool_call_id: card.tool_call_id,
      content: { kind: "tool_result", ...value },
      metadata: { step_id, function_name: tool_name, ...(mended && { is_mended: true }) },
    },
  };
}

async function outcomeOf(call: CarryOut, tool_name: string): Promise<ToolOutcome | Fenced> {
  const { kernel, scene, step_id, card, is_only_call, allowed, is_approved } = call;
  const { turn, profile, required_fields } = scene;
  const args = card.content?.kind === "tool_call" ? card.content.arguments : null;
  try {
    const { project_id } = turn;
    const registered = isOurs(tool_name) ? null : await findRegistered(kernel, { project_id, tool_name });
    const tool = findTool(profile, tool_name, registered);
    if ("refusal" in tool) return tool.refusal;
    if (args === null || typeof args !== "object" || Array.isArray(args)) return notJson(args);
    const context: ToolContext = {
      kernel,
      turn,
      profile,
      step_id,
      tool_call_id: card.tool_call_id ?? "",
      tool_call_card_id: card.card_id,
      is_only_call,
      allowed,
      required_fields,
    };
    const cleared = await clearCall({ context, tool, args, is_approved });
    if (!("args" in cleared)) return cleared;
    const { tool_call_card_id } = cleared;
    return "own" in tool
      ? await tool.own.run(context, cleared.args)
      : await callExternal({ ...context, tool_call_card_id }, tool.external);
  } catch (error) {
    const known = storageError(error);
    if (known instanceof KernelError && known.code === "storage_error") throw known;
    if (known instanceof KernelError) return rejected(known.code, known.message);
    log().error({ tool_name, agent_turn_id: turn.agent_turn_id, err: error }, "a tool broke");
    return rejected("internal_error", error instanceof Error ? error.message : String(error));
  }
}

function notJson(args: unknown): ToolAnswer {
  if (typeof args !== "string") return rejected("bad_request", "arguments must be a JSON object");
  try {
    JSON.parse(args);
    return rejected("bad_request", "arguments must be a JSON object");
  } catch (error) {
    return rejected("bad_request", `arguments are not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

type ToolResult = Omit<Extract<CardContent, { kind: "tool_result" }>, "kind">;

/** Only what JSON can say is a result, and nothing is none. */
function asResult(outcome: ToolAnswer | undefined): ToolResult {
  const { status, result } = outcome ?? {};
  if (outcome === undefined || (status === "success" && result === undefined))
    return asResult(rejected("internal_error", "the tool answered nothing"));
  try {
    return JSON.parse(JSON.stringify(outcome));
  } catch {
    return asResult(rejected("result_not_serializable", "the tool's result cannot be written as JSON"));
  }
}
