// The second of a turn's two moves: the calls that the model made are carried out, and their results end the step.
import type { Card } from "@/server/contract/card";
import { carryOut } from "@/server/kernel/tools/carry-out";
import type { TurnCard } from "@/server/kernel/turns/append-cards";
import { isFenced } from "@/server/kernel/turns/fenced";
import type { ModelAnswer } from "./models/model";
import type { Move } from "./next-move";
import type { StepRun } from "./step";
import { TurnLost } from "./turn-lost";
import { untilWritten } from "./until-written";

/**
 * Every call gets a result, whatever becomes of it, and those that are there end the step together. True when others come
 * later: the turn sleeps until they do, and is nobody's.
 */
export async function carryOutCalls(run: StepRun, move: Extract<Move, { kind: "execute" }>): Promise<boolean> {
  const { kernel, scene, writer, signal, tools } = run;
  const { step_id, calls, approved, is_only_call } = move;
  const cards: TurnCard[] = [];
  const waited: string[] = [];
  for (const card of calls) {
    const is_approved = approved.has(card.tool_call_id);
    const call = { kernel, scene, step_id, card, is_only_call, allowed: tools.offered, is_approved };
    const outcome = await untilWritten(signal, () => carryOut(call));
    signal.throwIfAborted();
    if (isFenced(outcome)) throw new TurnLost(`it called ${toolOf(card)} under a lease that is gone`);
    if ("wait" in outcome) waited.push(card.tool_call_id ?? "");
    else cards.push(outcome.card);
  }
  // Counted when the step ended: it did before the turn slept on what is carried out now.
  const isAgain = calls.some((card) => approved.has(card.tool_call_id));
  const usage = isAgain ? undefined : (move.thought.metadata.usage as ModelAnswer["usage"]);
  const tool_call_ids = calls.map((card) => card.tool_call_id ?? "");
  // What it did, not that it was thinking: the list of steps is read after the fact.
  const note = [...new Set(calls.map(toolOf))].join(", ");
  const step = { step_id, cards, usage, tool_call_ids, note };
  if (waited.length > 0) return (await writer.suspend({ tool_call_ids: waited, step })).status === "suspended";
  await writer.endStep(step);
  return false;
}

const toolOf = ({ content }: Card): string => (content?.kind === "tool_call" ? content.tool_name : "call");
