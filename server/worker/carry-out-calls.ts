// The second of a turn's two moves: carry out the calls that the model made, and end the step with their results.
import type { Card } from "@/server/contract/card";
import type { ArtifactFile } from "@/server/kernel/artifacts/store-artifacts";
import { hasSlept } from "@/server/kernel/batch/has-slept";
import { type CarriedOut, type CarryLater, carryOut } from "@/server/kernel/tools/carry-out";
import type { TurnCard } from "@/server/kernel/turns/append-cards";
import { type Fenced, isFenced } from "@/server/kernel/turns/fenced";
import type { ModelAnswer } from "./models/model";
import type { Move } from "./next-move";
import type { StepRun } from "./step";
import { lacks } from "./tools/lacks";
import { TurnLost } from "./turn-lost";
import { untilWritten } from "./until-written";

/** Calls of one step; a model that makes fifty calls at once must not open fifty connections. */
const outsideMax = 8;

/**
 * Every call gets a result, whatever happens to it, and those that are available end the step together. True if others come
 * later: then the turn is suspended until they do.
 */
export async function carryOutCalls(run: StepRun, move: Extract<Move, { kind: "execute" }>): Promise<boolean> {
  const { kernel, scene, writer, signal, tools, guests } = run;
  const { step_id, calls, approved, is_only_call } = move;
  // Counted when the step ended, before the turn was suspended on the calls carried out now.
  const isAgain = calls.some((card) => approved.has(card.tool_call_id));
  const usage = isAgain ? undefined : (move.thought.metadata.usage as ModelAnswer["usage"]);
  const tool_call_ids = calls.map((card) => card.tool_call_id ?? "");
  // What it did, not that it was thinking: people read the list of steps afterwards.
  const told = () => ({
    step_id,
    usage,
    tool_call_ids,
    note: [[...new Set(calls.map(toolOf))].join(", "), ...lacks(run)].join("; "),
  });
  const sleep = is_only_call ? { step: { ...told(), cards: [] } } : undefined;
  const cards: TurnCard[] = [];
  const files: ArtifactFile[] = [];
  const waited: string[] = [];
  const begun: (CarriedOut | CarryLater)[] = [];
  // In the model's order: each call sees the changes of the ones before it.
  for (const card of calls) {
    const is_approved = approved.has(card.tool_call_id);
    const call = { kernel, scene, step_id, card, is_only_call, allowed: tools.offered, is_approved, guests, sleep };
    const outcome = await untilWritten(
      signal,
      () => carryOut(call),
      async () => (sleep && (await isAsleep(run, card)) ? asleep : null),
    );
    signal.throwIfAborted();
    if (isFenced(outcome)) throw new TurnLost(`it called ${toolOf(card)} after losing its lease`);
    begun.push(outcome);
  }
  const outcomes = await askOutside(signal, begun);
  for (const [i, card] of calls.entries()) {
    const outcome = outcomes[i];
    if (!outcome) throw new Error(`call ${card.tool_call_id} has no result`);
    if ("wait" in outcome) {
      if (outcome.wait.slept) return outcome.wait.slept.status === "suspended";
      waited.push(card.tool_call_id ?? "");
    } else {
      cards.push(outcome.card);
      files.push(...(outcome.files ?? []));
    }
  }
  const step = { ...told(), cards, files };
  if (waited.length > 0) return (await writer.suspend({ tool_call_ids: waited, step })).status === "suspended";
  await writer.endStep(step);
  return false;
}

/** A fork that was written before its answer was lost has suspended the turn, and is not made again. */
function isAsleep({ kernel, scene }: StepRun, { tool_call_id = "" }: Card): Promise<boolean> {
  return hasSlept(kernel, { ...scene.turn, tool_call_id });
}

const asleep: CarriedOut = {
  wait: { status: "suspended", slept: { status: "suspended", results: [], waiting: [] } },
};

/** Calls that depend on outside services are made in parallel, a few at a time, in the order of the calls. */
async function askOutside(signal: AbortSignal, begun: (CarriedOut | CarryLater)[]) {
  const outcomes: Exclude<CarriedOut, Fenced>[] = [];
  const left = [...begun.entries()];
  // The first one that finds its lease lost cancels the others too: nobody would get their results.
  const ends = new AbortController();
  const both = AbortSignal.any([signal, ends.signal]);
  const lane = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [i, one] = next;
      const outcome = "go" in one ? await untilWritten(both, () => one.go(both)) : one;
      if (isFenced(outcome)) throw new TurnLost("it called a tool's service after losing its lease");
      outcomes[i] = outcome;
    }
  };
  try {
    await Promise.all(Array.from({ length: outsideMax }, lane));
  } finally {
    ends.abort();
  }
  return outcomes;
}

const toolOf = ({ content }: Card): string => (content?.kind === "tool_call" ? content.tool_name : "call");
