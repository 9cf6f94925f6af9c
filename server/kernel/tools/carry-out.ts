// Carries out one tool call: whatever goes wrong in a tool is its result. Only a lost lease and an unreachable database are
// not.
import type { Card, CardContent } from "@/server/contract/card";
import { KernelError } from "@/server/contract/errors";
import { isRecord } from "@/server/contract/is-record";
import { MCP_SEPARATOR } from "@/server/contract/mcp-server";
import { mendText } from "@/server/contract/text";
import { kindOf } from "@/server/contract/tool";
import { log } from "@/server/log";
import { type ArtifactFile, artifactRefs } from "../artifacts/store-artifacts";
import { isTooDeep, SAID_DEPTH_MAX } from "../cardbox/canonical-json";
import type { Kernel } from "../kernel";
import type { Scene } from "../provenance/read-scene";
import { findTool as findRegistered } from "../roster/find-tool";
import { isPassing, storageError } from "../storage-error";
import type { TurnCard } from "../turns/append-cards";
import { type Fenced, isFenced } from "../turns/fenced";
import { clearCall } from "./approval";
import { callExternal } from "./call-external";
import { callHttp } from "./call-http";
import { findGuest, type GuestAnswer, type Guests } from "./guests";
import {
  rejected,
  type ToolAnswer,
  type ToolContext,
  type ToolLater,
  type ToolOutcome,
  type ToolWait,
} from "./inline-tool";
import { findTool, isOurs } from "./inline-tools";
import { traceparentOf } from "./traceparent";

/** `card` is the stored tool.call. `allowed` = what the turn was offered. `is_approved` = it has read that a person approved. */
export type CarryOut = {
  kernel: Kernel;
  scene: Scene;
  step_id: string;
  card: Card;
  is_only_call: boolean;
  allowed: ToolContext["allowed"];
  is_approved: boolean;
  /** Tools that the worker provides. */
  guests?: Guests;
  /** Absent = the caller suspends the turn itself. */
  sleep?: ToolContext["sleep"];
};

/** `files` are stored with the card, which refers to them. */
export type CarriedOut = { card: TurnCard; files?: ArtifactFile[] } | { wait: ToolWait } | Fenced;

/** What is left of a call when its turn in the order of the calls is over: somebody outside is asked, as long as it takes. */
export type CarryLater = { go: (signal: AbortSignal | undefined) => Promise<CarriedOut> };

/** A `tool.result` card, or that it comes later. Rejects if the database is away; the call may then be made again. */
export async function carryOut(call: CarryOut): Promise<CarriedOut | CarryLater> {
  const { card } = call;
  const tool_name = card.content?.kind === "tool_call" ? card.content.tool_name : "?";
  const outcome = await unbroken(call, tool_name, undefined, () => outcomeOf(call, tool_name));
  if (!isLater(outcome)) return carried(call, tool_name, outcome);
  const { go } = outcome;
  return { go: async (signal) => carried(call, tool_name, await unbroken(call, tool_name, signal, () => go(signal))) };
}

const isLater = (outcome: object | undefined): outcome is ToolLater =>
  outcome !== undefined && "status" in outcome && outcome.status === "later";

function carried(
  { card, step_id }: CarryOut,
  tool_name: string,
  outcome: ToolOutcome | Fenced | undefined,
): CarriedOut {
  if (outcome && isFenced(outcome)) return outcome;
  if (outcome?.status === "suspended") return { wait: outcome };
  const { value, mended } = mendText(asResult(outcome));
  const files = outcome?.files;
  return {
    ...(files && { files }),
    card: {
      type: "tool.result",
      author_id: `tool.${tool_name}`.slice(0, 256),
      tool_call_id: card.tool_call_id,
      content: { kind: "tool_result", ...value },
      metadata: { step_id, function_name: tool_name, ...(mended && { is_mended: true }) },
    },
  };
}

async function outcomeOf(call: CarryOut, tool_name: string): Promise<ToolOutcome | ToolLater | Fenced> {
  const { kernel, scene, step_id, card, is_only_call, allowed, is_approved, guests, sleep } = call;
  const { turn, profile, required_fields } = scene;
  const args = card.content?.kind === "tool_call" ? card.content.arguments : null;
  const { project_id } = turn;
  const registered = isOurs(tool_name) ? null : await findRegistered(kernel, { project_id, tool_name });
  const guest = isOurs(tool_name) || registered ? null : findGuest(guests, tool_name);
  const tool = findTool(profile, tool_name, registered ?? guest);
  if ("refusal" in tool) return absence(guests, tool_name) ?? tool.refusal;
  if (!isRecord(args)) return notJson(args);
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
    sleep,
  };
  const cleared = await clearCall({ context, tool, args, is_approved });
  if (!("args" in cleared)) return cleared;
  if ("own" in tool) return tool.own.run(context, cleared.args);
  if (guest) return callGuest(call, tool_name, cleared.args);
  const { tool_call_card_id } = cleared;
  const called = { ...context, tool_call_card_id };
  return kindOf(tool.external) === "http"
    ? callHttp(called, tool.external, cleared.args)
    : callExternal(called, tool.external);
}

function callGuest({ kernel, guests, card, scene }: CarryOut, tool_name: string, args: object): ToolLater {
  const tool_call_id = card.tool_call_id ?? "";
  const asked = { tool_name, arguments: args as Record<string, unknown>, tool_call_id };
  const traced = { ...asked, ...traceparentOf(scene.turn.trace_id, tool_call_id) };
  let answer: GuestAnswer | undefined;
  return {
    status: "later",
    go: async (signal) => {
      // If the database was away, this is called again, and must not ask the server twice.
      answer ??=
        (await guests?.call(traced, signal)) ?? rejected("not_available", `${tool_name} cannot be called here`);
      const { files = [], ...told } = answer;
      if (files.length === 0) return told;
      return { ...told, artifacts: artifactRefs(files, kernel.tunables.artifactBytesMax), files };
    },
  };
}

/** A tool that was offered a step ago, say, and whose server is away now. */
function absence(guests: Guests | undefined, tool_name: string): ToolAnswer | null {
  const away = guests?.away.find(({ server }) => tool_name.startsWith(`${server}${MCP_SEPARATOR}`));
  return away
    ? rejected(
        "upstream_unavailable",
        `MCP server ${away.server} is not available: ${away.reason}; continue without it`,
      )
    : null;
}

/** Whatever breaks is an answer. */
async function unbroken<T>(
  { scene }: CarryOut,
  tool_name: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T | ToolAnswer> {
  try {
    return await work();
  } catch (error) {
    signal?.throwIfAborted();
    const known = storageError(error);
    if (isPassing(known)) throw known;
    if (known instanceof KernelError) return rejected(known.code, known.message);
    log().error({ tool_name, agent_turn_id: scene.turn.agent_turn_id, err: error }, "a tool broke");
    return rejected("internal_error", error instanceof Error ? error.message : String(error));
  }
}

function notJson(args: unknown): ToolAnswer {
  if (typeof args !== "string") return rejected("bad_request", "arguments must be a JSON object");
  try {
    const value: unknown = JSON.parse(args);
    const fault = isTooDeep(value)
      ? `are nested deeper than ${SAID_DEPTH_MAX} levels; flatten them`
      : "must be a JSON object";
    return rejected("bad_request", `arguments ${fault}`);
  } catch (error) {
    return rejected("bad_request", `arguments are not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

type ToolResult = Omit<Extract<CardContent, { kind: "tool_result" }>, "kind">;

/** Only JSON counts as a result, and a missing one is an error. */
function asResult(given: ToolAnswer | undefined): ToolResult {
  const outcome = given && { ...given, files: undefined };
  const { status, result } = outcome ?? {};
  if (outcome === undefined || (status === "success" && result === undefined))
    return asResult(rejected("internal_error", "the tool answered nothing"));
  try {
    const written = JSON.parse(JSON.stringify(outcome));
    return isTooDeep(written) ? tooDeep() : written;
  } catch (error) {
    // The stack that writes it is shorter than the one that read it.
    if (error instanceof RangeError) return tooDeep();
    return asResult(rejected("result_not_serializable", "the tool's result cannot be written as JSON"));
  }
}

function tooDeep(): ToolResult {
  const message = `the tool's result is nested deeper than ${SAID_DEPTH_MAX} levels; ask for less, or for text`;
  return asResult(rejected("result_not_serializable", message));
}
