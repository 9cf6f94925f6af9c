// One turn from its start to its end: look where it stands, make the next move, look again.
import { KernelError } from "@/server/contract/errors";
import { mendText } from "@/server/contract/text";
import type { Kernel } from "@/server/kernel/kernel";
import { readOwnCards, readScene } from "@/server/kernel/provenance/read-scene";
import type { TurnRow } from "@/server/kernel/turns/turn-row";
import { log } from "@/server/log";
import { ModelError } from "./models/model";
import { builtInModels, type Models, modelFor } from "./models/models";
import { nextMove } from "./next-move";
import { askModel, carryOutCalls, type StepRun } from "./step";
import { readSubmission } from "./submission";
import { TurnLost } from "./turn-lost";
import { createTurnWriter, type TurnWriter } from "./turn-writer";
import { untilWritten } from "./until-written";

export type TurnRun = {
  kernel: Kernel;
  worker_id: string;
  models?: Models;
  /** Started, by this worker. */
  turn: TurnRow;
  /** Aborted from outside when the lease is gone, and from inside when a write finds that out. */
  lost: AbortController;
};

/** Resolves when the turn has ended. Rejects when it is lost, with the reason of `lost`: nothing more is written then. */
export async function runTurn(run: TurnRun): Promise<void> {
  const { lost } = run;
  const writer = createTurnWriter(run.kernel, run);
  try {
    await play(run, writer);
  } catch (error) {
    if (error instanceof TurnLost) lost.abort(error);
    lost.signal.throwIfAborted();
    await writer.deliver({ status: "failed", content: null, ...failureOf(error, run.turn) });
  }
}

async function play(run: TurnRun, writer: TurnWriter): Promise<void> {
  const { kernel, turn, lost } = run;
  const { recursionDepthMax, stepsMax } = kernel.tunables;
  if (turn.depth >= recursionDepthMax)
    throw new KernelError(
      "recursion_depth_exceeded",
      `the turn is at depth ${turn.depth}, and agents run below ${recursionDepthMax}; delegate less deeply`,
    );
  const scene = await untilWritten(lost.signal, () => readScene(kernel, turn));
  const model = modelFor(run.models ?? builtInModels, scene.profile.llm_config);
  const step: StepRun = { kernel, scene, model, writer, signal: lost.signal };
  const steps_max = scene.profile.max_steps ?? stepsMax;
  for (;;) {
    const own_cards = await untilWritten(lost.signal, () => readOwnCards(kernel, scene));
    const move = nextMove(own_cards);
    if (move.kind === "deliver") {
      const args = move.call.content?.kind === "tool_call" ? move.call.content.arguments : null;
      const submission = readSubmission(args, scene.required_fields);
      if (!submission.ok) throw new Error(`a submission that was accepted cannot be read: ${submission.error}`);
      return writer.deliver({ status: "success", content: submission.content });
    }
    if (move.kind === "execute") await carryOutCalls(step, move);
    else if (move.steps_done >= steps_max)
      throw new ModelError(
        "max_steps_reached",
        `${steps_max} steps were taken without a result; raise max_steps in the profile, or ask for less at once`,
      );
    else if (await askModel(step, { own_cards, steps_done: move.steps_done, steps_max })) return;
  }
}

function failureOf(error: unknown, turn: TurnRow): { error_code: string; error: string } {
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
