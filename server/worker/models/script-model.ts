// The scripted model: says what the profile's `llm_config.script` lists, one entry per call (docs/scripted-model.md).
// It remembers nothing: its position is read from the cards that the turn has written, so that a worker that takes the turn
// over continues at the same entry and says the same.
import { setTimeout as sleep } from "node:timers/promises";
import type { Card } from "@/server/contract/card";
import { Script, type ScriptStep } from "@/server/contract/script";
import { shapeFault } from "@/server/contract/shape-fault";
import { type Fillings, fillText, fillValue, resultsOf } from "./fill-text";
import { type Model, type ModelAnswer, ModelError, type ModelEvent, type ModelRequest } from "./model";

export const scriptModel: Model = { serialise, call };

/** The script entry that comes next. */
export function scriptPosition(own_cards: Card[]): number {
  const said = own_cards.map((card) => card.metadata.script_step).filter((n) => typeof n === "number");
  return Math.max(-1, ...said) + 1;
}

function serialise({ system, messages, tools, llm_config }: ModelRequest): string {
  return JSON.stringify({ model: llm_config.model ?? "script", system, messages, tools });
}

async function* call(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  const script = readScript(request);
  const fillings: Fillings = { ...request.turn, results: resultsOf(request.turn.own_cards) };
  for (let at = scriptPosition(request.turn.own_cards); ; at++) {
    const step = script[at];
    if (!step)
      throw new ModelError(
        "script_failed",
        `llm_config.script has no step ${at + 1}, and the turn has not ended; end the script with deliver, fields or fail`,
      );
    if (!isMeant(step, fillings.instruction)) continue;
    if (step.note !== undefined) yield { kind: "note", note: fillText(step.note, fillings) };
    if (step.wait_ms) await pause(step.wait_ms, signal);
    if (isBareWait(step)) continue;
    const answer = answerOf(step, fillings);
    if (answer.text !== "") yield { kind: "delta", text: answer.text };
    yield { ...answer, metadata: { script_step: at }, usage: estimate(request, answer) };
    return;
  }
}

function readScript({ llm_config }: ModelRequest): Script {
  const parsed = Script.safeParse(llm_config.script);
  if (parsed.success) return parsed.data;
  const { path, message } = shapeFault(parsed.error, "llm_config", "script");
  throw new ModelError("model_config_invalid", `${path}: ${message}`);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch {
    // The timer's own error does not say why it was aborted.
    throw signal.reason;
  }
}

type Said = Exclude<ScriptStep, BareWait>;
type BareWait = { wait_ms: number; note?: string; when?: string };

const isMeant = ({ when }: ScriptStep, instruction: string): boolean =>
  when === undefined || instruction.toLowerCase().includes(when.toLowerCase());

const isBareWait = (step: ScriptStep): step is BareWait =>
  !("think" in step || "call" in step || "calls" in step || "deliver" in step || "fields" in step || "fail" in step);

function answerOf(step: Said, fillings: Fillings): ModelAnswer {
  const answer: ModelAnswer = { kind: "answer", text: "", tool_calls: [], is_unfinished: false };
  if ("fail" in step) throw new ModelError("script_failed", fillText(step.fail, fillings));
  if ("think" in step) return { ...answer, text: fillText(step.think, fillings), is_unfinished: true };
  if ("deliver" in step) return { ...answer, text: fillText(step.deliver, fillings) };
  if ("fields" in step) {
    const fields = Object.entries(step.fields).map(([name, value]) => ({ name, value: fillText(value, fillings) }));
    return {
      ...answer,
      tool_calls: [{ tool_name: "submit_result", arguments: JSON.stringify({ result: { fields } }) }],
    };
  }
  const calls = "calls" in step ? step.calls : [step];
  const tool_calls = calls.map((one) => ({
    tool_name: one.call,
    arguments: typeof one.arguments === "string" ? one.arguments : JSON.stringify(fillValue(one.arguments, fillings)),
  }));
  return { ...answer, text: fillText(step.say ?? "", fillings), tool_calls };
}

/** Estimated, four bytes per token, so that the scripted run has weights to show. */
function estimate(request: ModelRequest, answer: ModelAnswer): ModelAnswer["usage"] {
  const weigh = (text: string) => Math.ceil(Buffer.byteLength(text) / 4);
  return {
    is_scripted: true,
    input_tokens: weigh(serialise(request)),
    output_tokens: weigh(answer.text) + weigh(JSON.stringify(answer.tool_calls)),
  };
}
