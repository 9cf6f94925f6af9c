// The first of a turn's two moves. What the model sees is stored before it is sent, and what it says before anything is done
// about it. Between any two writes another worker may take over and continue.
import type { Card } from "@/server/contract/card";
import type { TurnCode } from "@/server/contract/failure-codes";
import { mendText } from "@/server/contract/text";
import { pictureOf } from "@/server/kernel/artifacts/picture-of";
import { readArtifacts } from "@/server/kernel/artifacts/read-artifacts";
import { isTooDeep } from "@/server/kernel/cardbox/canonical-json";
import type { Tools } from "@/server/kernel/context/render-request";
import type { Kernel } from "@/server/kernel/kernel";
import { nextRequest, type Standing } from "@/server/kernel/provenance/next-request";
import type { Scene } from "@/server/kernel/provenance/read-scene";
import type { Guests } from "@/server/kernel/tools/guests";
import type { TurnCard } from "@/server/kernel/turns/append-cards";
import { nameHeaviest } from "./models/heaviest-cards";
import { AskedOtherwise, type Model, type ModelAnswer, ModelError, type ModelRequest } from "./models/model";
import { lacks } from "./tools/lacks";
import type { TurnWriter } from "./turn-writer";
import type { Voice } from "./voice";

export type StepRun = {
  kernel: Kernel;
  scene: Scene;
  model: Model;
  writer: TurnWriter;
  /** What the model says before its answer, for watchers. */
  voice: Voice;
  signal: AbortSignal;
  /** What the turn may call. */
  tools: Tools;
  /** Of servers that the profile names. */
  guests?: Guests;
};

/** True when the model's answer ended the turn. */
export async function askModel(run: StepRun, standing: Standing): Promise<boolean> {
  const { scene, model, writer, signal } = run;
  const { request: words, card_ids, ...sent } = requestOf(scene, run.tools, standing);
  const request = await withPictures(run, words);
  const ask = async (why: string[]) => {
    const bytes = Buffer.from(await model.serialise(request));
    const { step_id } = await writer.beginStep({
      request: { card_ids, system: request.system, tools: request.tools, bytes, ...sent },
      note: ["thinking", ...why, ...lacks(run)].join("; "),
    });
    return { step_id, answer: await listen(run, request, step_id, card_ids) };
  };
  // Each gets its own step: the request stored with a step is the one that was sent.
  const { step_id, answer } = await ask([]).catch((error: unknown) => {
    if (error instanceof AskedOtherwise) return ask([mendText(error.message).value]);
    throw error;
  });
  const { usage } = answer;
  const thought = thoughtOf(scene, answer, step_id);
  if (answer.tool_calls.length > 0) {
    const calls = callsOf(run, answer, step_id);
    const tool_calls = calls.map(({ tool_call_id: id, tool_name: name, raw, provider_call_id }) => ({
      id,
      type: "function",
      function: { name, arguments: raw },
      ...(provider_call_id && { provider_call_id }),
    }));
    const names = [...new Set(calls.map((call) => call.tool_name))].join(", ");
    await writer.append({
      cards: [{ ...thought, tool_calls }, ...calls.map((call) => call.card)],
      note: `calls ${names}`,
    });
    return false;
  }
  if (answer.is_unfinished) {
    await writer.endStep({ step_id, cards: [thought], usage });
    return false;
  }
  const missing = missingEnd(scene, standing.own_cards);
  if (missing) {
    await writer.endStep({ step_id, cards: [thought, reminderOf(missing)], usage });
    return false;
  }
  const step = { step_id, usage, note: "delivers" };
  try {
    await writer.deliver({ ...endOf(answer), step });
  } catch (error) {
    signal.throwIfAborted();
    // The deliverable was refused, but the step used its tokens: record them.
    await writer.endStep({ ...step, cards: [] });
    throw error;
  }
  return true;
}

/** An empty answer is not a success: the caller reads that it was empty, and why. */
function endOf({ text, metadata }: ModelAnswer): Parameters<TurnWriter["deliver"]>[0] {
  if (text.trim() !== "") return { status: "success", content: { kind: "text", text } };
  const why = typeof metadata?.finish_reason === "string" ? ` (finish reason: ${metadata.finish_reason})` : "";
  const error = `the model's answer was empty: no text and no tool call${why}`;
  return { status: "partial", content: null, error_code: "empty_answer" satisfies TurnCode, error };
}

function requestOf(scene: Scene, tools: Tools, standing: Standing) {
  const { turn, profile, display_name, instruction, output_box_id } = scene;
  const { card_ids, tokens, tools_tokens, ...next } = nextRequest(scene, tools, standing);
  const { own_cards } = standing;
  const request: ModelRequest = {
    ...next,
    llm_config: profile.llm_config,
    turn: { display_name, instruction, context_box_id: turn.context_box_id, output_box_id, own_cards },
  };
  return { request, card_ids, tokens, tools_tokens };
}

/** With the bytes of its pictures, newest first, up to the limit of a request. */
async function withPictures({ kernel, scene }: StepRun, request: ModelRequest): Promise<ModelRequest> {
  const wanted = new Map(
    request.messages.flatMap(({ pictures = [] }) => pictures).map((ref) => [ref.sha256, ref.size]),
  );
  let left = kernel.tunables.pictureBytesMax;
  const sha256s = [...wanted].toReversed().flatMap(([sha256, size]) => {
    left -= size;
    return left < 0 ? [] : [sha256];
  });
  if (sha256s.length === 0) return request;
  const found = await readArtifacts(kernel, { project_id: scene.turn.project_id, sha256s });
  const pictures = found.flatMap(({ sha256, bytes }) => {
    const picture = pictureOf(bytes);
    return picture ? [[sha256, { mime: picture.mime, bytes }] as const] : [];
  });
  return { ...request, pictures: new Map(pictures) };
}

async function listen(run: StepRun, request: ModelRequest, step_id: string, card_ids: string[]): Promise<ModelAnswer> {
  const { model, writer, voice, signal } = run;
  voice.begin(step_id);
  try {
    for await (const event of model.call(request, signal)) {
      signal.throwIfAborted();
      if (event.kind === "note") await writer.append({ cards: [], note: mendText(event.note).value });
      if (event.kind === "delta") voice.say("text", event.text);
      if (event.kind === "reasoning") voice.say("reasoning", event.text);
      if (event.kind === "restart") voice.restart();
      if (event.kind === "answer") return mendAnswer(event);
    }
    throw new ModelError("model_unavailable", "the model ended without an answer; try again");
  } catch (thrown) {
    signal.throwIfAborted();
    const error = nameHeaviest(thrown, cardsOf(run.scene, request, card_ids));
    const { value } = mendText(error instanceof Error ? error.message : String(error));
    const usage = error instanceof ModelError ? error.usage : undefined;
    await writer.endStep({ step_id, cards: partialOf(run.scene, error, step_id), error: value, usage });
    throw error;
  } finally {
    voice.end();
  }
}

function partialOf({ turn }: Scene, error: unknown, step_id: string): TurnCard[] {
  if (!(error instanceof ModelError) || error.partial === undefined) return [];
  const { text, metadata } = mendText(error.partial).value;
  const marked = { ...metadata, step_id, is_partial: true };
  return [{ type: "agent.thought", author_id: turn.agent_id, content: text, metadata: asJson(marked) }];
}

function cardsOf({ memory, context }: Scene, { turn }: ModelRequest, card_ids: string[]): Card[] {
  const cards = new Map([...memory, ...context, ...turn.own_cards].map((card) => [card.card_id, card]));
  return card_ids.flatMap((card_id) => cards.get(card_id) ?? []);
}

function mendAnswer(answer: ModelAnswer): ModelAnswer {
  const { value, mended } = mendText(answer);
  return mended ? { ...value, metadata: { ...value.metadata, is_mended: true } } : value;
}

function thoughtOf(scene: Scene, { text, usage, metadata }: ModelAnswer, step_id: string): TurnCard {
  return {
    type: "agent.thought",
    author_id: scene.turn.agent_id,
    content: text,
    metadata: asJson({ ...metadata, step_id, ...(usage && { usage }) }),
  };
}

function callsOf({ kernel, scene }: StepRun, answer: ModelAnswer, step_id: string) {
  return answer.tool_calls.map(({ tool_name, arguments: raw, provider_call_id }) => {
    // Providers repeat their ids, so the kernel's own is used; the provider's is kept for its API.
    const tool_call_id = kernel.newId("tc_");
    const card: TurnCard = {
      type: "tool.call",
      author_id: scene.turn.agent_id,
      tool_call_id,
      content: { kind: "tool_call", tool_name, arguments: parsed(raw) },
      metadata: { step_id, ...(provider_call_id && { provider_call_id }) },
    };
    return { tool_call_id, tool_name, raw, provider_call_id, card };
  });
}

/** Arguments that are not JSON, or nested too deeply, are kept as the model wrote them; the result says so. */
function parsed(raw: string) {
  if (raw.trim() === "") return {};
  try {
    const value = JSON.parse(raw);
    return mendText(isTooDeep(value) ? raw : value).value;
  } catch {
    return raw;
  }
}

/** The tools that must come before the end, if the last action was none of them. */
function missingEnd({ profile }: Scene, own_cards: Card[]): string[] | null {
  if (profile.must_end_with.length === 0) return null;
  const last = own_cards.findLast((card) => card.type === "tool.result");
  const call = own_cards.find((card) => card.type === "tool.call" && card.tool_call_id === last?.tool_call_id);
  const didSucceed = last?.content?.kind === "tool_result" && last.content.status === "success";
  const name = call?.content?.kind === "tool_call" ? call.content.tool_name : "";
  return didSucceed && profile.must_end_with.includes(name) ? null : profile.must_end_with;
}

const reminderOf = (names: string[]): TurnCard => ({
  type: "sys.must_end_with_required",
  author_id: "switchyard",
  content: `You have not finished: end with a call of ${names.join(" or ")}. A text alone does not end your turn.`,
});

const asJson = <T>(value: T): T => JSON.parse(JSON.stringify(value));
