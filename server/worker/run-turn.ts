// Runs one turn from start to end: read the state, make the next move, repeat.
import type { CardContent } from "@/server/contract/card";
import { KernelError } from "@/server/contract/errors";
import type { ErrorCode, TurnCode } from "@/server/contract/failure-codes";
import { mendText } from "@/server/contract/text";
import type { Kernel } from "@/server/kernel/kernel";
import { readOwnCards, readScene, withoutGone } from "@/server/kernel/provenance/read-scene";
import { patient } from "@/server/kernel/reader";
import { listTools } from "@/server/kernel/roster/list-tools";
import { readTools, toolsOf } from "@/server/kernel/tools/read-tools";
import { saveMcpOffers } from "@/server/kernel/tools/save-mcp-offers";
import { readSubmission } from "@/server/kernel/tools/submission";
import type { Delivered, DeliverInput } from "@/server/kernel/turns/deliver-turn";
import type { TurnRow } from "@/server/kernel/turns/turn-row";
import { log } from "@/server/log";
import type { Audience } from "./audience";
import { carryOutCalls } from "./carry-out-calls";
import { ModelError } from "./models/model";
import { builtInModels, type Models, modelFor } from "./models/models";
import { type Move, nextMove } from "./next-move";
import { askModel, type StepRun } from "./step";
import type { McpServers } from "./tools/mcp-servers";
import { TurnLeft, TurnLost } from "./turn-lost";
import { createTurnWriter, type TurnWriter } from "./turn-writer";
import { untilWritten } from "./until-written";
import { createVoice, type Voice } from "./voice";

export type TurnRun = {
  kernel: Kernel;
  worker_id: string;
  models?: Models;
  mcp?: McpServers;
  /** Started, by this worker. */
  turn: TurnRow;
  /** Aborted from outside when the lease is lost, and from inside when a write finds that out. */
  lost: AbortController;
  /** Aborted when the worker stops: no new step begins, and the turn is left for another worker. Absent = never. */
  leaving?: AbortSignal;
  /** Who may be watching it think. */
  audience: Audience;
  /** How the turn is ended; a worker of many turns ends them together. */
  deliver?: (end: DeliverInput) => Promise<Delivered>;
};

/**
 * Resolves when the turn has ended or is suspended. Rejects if it is lost, with the reason of `lost`; then nothing more is
 * written.
 */
export async function runTurn(run: TurnRun): Promise<void> {
  const { lost } = run;
  const writer = createTurnWriter(run.kernel, run);
  const voice = createVoice(run.kernel, run.turn, run.audience);
  try {
    await play(run, writer, voice);
  } catch (error) {
    if (error instanceof TurnLost) lost.abort(error);
    lost.signal.throwIfAborted();
    await writer.deliver({ status: "failed", content: null, ...failureOf(error, run.turn) });
  } finally {
    voice.close();
  }
}

async function play(run: TurnRun, writer: TurnWriter, voice: Voice): Promise<void> {
  const { turn, lost } = run;
  const kernel = patient(run.kernel);
  const { recursionDepthMax, stepsMax } = kernel.tunables;
  if (turn.depth >= recursionDepthMax)
    throw new KernelError(
      "recursion_depth_exceeded",
      `the turn is at depth ${turn.depth}, and agents run below ${recursionDepthMax}; delegate less deeply`,
    );
  const { project_id } = turn;
  const readOwn = () => untilWritten(lost.signal, () => readOwnCards(kernel, turn));
  const [scene, listed] = await Promise.all([
    untilWritten(lost.signal, () => readScene(kernel, turn)),
    untilWritten(lost.signal, () => listTools(kernel, project_id)),
  ]);
  const model = modelFor(run.models ?? builtInModels, scene.profile.llm_config);
  const { profile } = scene;
  const guests = await run.mcp?.guestsOf({ project_id, profile, signal: lost.signal });
  await untilWritten(lost.signal, () => saveMcpOffers(kernel, { project_id, offers: guests?.offers ?? [] }));
  // Connecting to MCP servers can take a minute. Somebody may have deleted this turn's cards meanwhile, or registered a tool.
  const hasWaited = guests !== undefined;
  const [tools, own] = await Promise.all([
    hasWaited
      ? untilWritten(lost.signal, () => readTools(kernel, { project_id, profile, guests }))
      : toolsOf(listed, { profile }),
    hasWaited || turn.output_cards > 0 ? readOwn() : [],
  ]);
  const step: StepRun = { kernel, scene, model, writer, voice, signal: lost.signal, tools, guests };
  const steps_max = scene.profile.max_steps ?? stepsMax;
  for (let own_cards = own; ; own_cards = await readOwn()) {
    const move = nextMove(own_cards);
    if (own_cards.length > 0) step.scene = await untilWritten(lost.signal, () => withoutGone(kernel, step.scene));
    if (move.kind === "deliver") return writer.deliver(endOf(move, scene.required_fields));
    if (move.kind === "execute") {
      if (await carryOutCalls(step, move)) return;
    } else if (move.steps_done >= steps_max)
      throw new ModelError(
        "max_steps_reached",
        `${steps_max} steps without a result; raise max_steps in the profile, or ask for less at once`,
      );
    else if (run.leaving?.aborted) throw new TurnLeft();
    else if (await askModel(step, { own_cards, steps_done: move.steps_done, steps_max })) return;
  }
}

/** Like the call that ended it: a failed one says why, and its result, if it gave one, is still the deliverable. */
function endOf(move: Extract<Move, { kind: "deliver" }>, required: string[]) {
  const content = move.result.content?.kind === "tool_result" ? move.result.content : null;
  const { status = "success", error } = content ?? {};
  if (status === "success") return { status, content: deliverableOf(move, required) };
  const has = content?.result !== undefined && content.result !== null;
  const code = error?.code === undefined ? endCodes[status] : mendText(error.code).value.slice(0, 64);
  const why = error?.message ?? `a call that ends the turn ended ${status}`;
  return {
    status,
    content: has ? deliverableOf(move, required) : null,
    error_code: code,
    error: mendText(why).value,
  };
}

function deliverableOf({ call, result }: Extract<Move, { kind: "deliver" }>, required: string[]): CardContent {
  const called = call.content?.kind === "tool_call" ? call.content : null;
  if (called?.tool_name !== "submit_result") {
    const said = result.content?.kind === "tool_result" ? result.content.result : undefined;
    return typeof said === "string" ? { kind: "text", text: said } : { kind: "json", data: said ?? null };
  }
  const submission = readSubmission(called.arguments, required);
  if (!submission.ok) throw new Error(`an accepted submission cannot be read: ${submission.error}`);
  return submission.content;
}

/** For a call that ended the turn without its own error code. */
const endCodes = {
  failed: "tool_failed",
  timeout: "tool_timeout",
  canceled: "tool_canceled",
  partial: "tool_partial",
} as const satisfies Record<string, TurnCode>;

function failureOf(error: unknown, turn: TurnRow): { error_code: TurnCode | ErrorCode; error: string } {
  if (error instanceof ModelError || error instanceof KernelError)
    return { error_code: error.code, error: mendText(error.message).value };
  log().error(
    { agent_turn_id: turn.agent_turn_id, project_id: turn.project_id, err: error },
    "a turn failed unexpectedly",
  );
  return {
    error_code: "internal_error",
    error: mendText(error instanceof Error ? error.message : String(error)).value,
  };
}
