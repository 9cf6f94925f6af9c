// The SDK's answer, streamed or whole, as the loop's: pieces as they come, then one answer with all of it.
import * as z from "zod";
import type { TurnCode } from "@/server/contract/failure-codes";
import { costOf, PRICES_DATE } from "@/server/contract/models";
import type { LlmSettings } from "./llm-settings";
import { type ModelAnswer, ModelError, type ModelEvent, type ModelToolCall, type ModelUsage } from "./model";
import type { StatePart } from "./model-state";
import type { SdkFinish, SdkPart, SdkWhole } from "./sdk-types";

/** The answer broke off: another try may get all of it. */
export class BrokenOff extends Error {}

type Finish = Pick<SdkFinish, "finishReason" | "usage">;

/** What came so far. */
type Draft = {
  parts: (StatePart & { id?: string })[];
  text: string;
  calls: ModelToolCall[];
  /** Settings that the client left out because the model does not accept them. */
  warnings: string[];
  finish: Finish | null;
  /** Only Google says this: it blocked the prompt, and no model has read it. */
  block?: string;
};

export async function* readStream(parts: AsyncIterable<SdkPart>, settings: LlmSettings): AsyncGenerator<ModelEvent> {
  const draft: Draft = { parts: [], text: "", calls: [], warnings: [], finish: null };
  for await (const part of parts) {
    if (part.type === "error") throw part.error;
    take(draft, part);
    if (part.type === "text-delta" && part.delta !== "") yield { kind: "delta", text: part.delta };
    if (part.type === "reasoning-delta" && part.delta !== "") yield { kind: "reasoning", text: part.delta };
  }
  yield answerOf(draft, settings);
}

export function* readWhole(whole: SdkWhole, settings: LlmSettings): Generator<ModelEvent> {
  const draft: Draft = {
    parts: [],
    text: "",
    calls: [],
    warnings: whole.warnings.map(worded),
    finish: whole,
    block: blockIn(whole.providerMetadata),
  };
  for (const part of whole.content) {
    const metadata = part.providerMetadata;
    if (part.type === "tool-call") take(draft, part);
    else if (part.type === "reasoning") draft.parts.push({ kind: "reasoning", text: part.text, metadata });
    else if (part.type === "text") {
      draft.parts.push({ kind: "text", length: part.text.length, metadata });
      draft.text += part.text;
    }
  }
  const answer = answerOf(draft, settings);
  if (draft.text !== "") yield { kind: "delta", text: draft.text };
  yield answer;
}

const worded = (warning: SdkWhole["warnings"][number]): string =>
  "message" in warning ? warning.message : (warning.details ?? `${warning.feature} is not supported`);

function take(draft: Draft, part: SdkPart): void {
  switch (part.type) {
    case "text-start":
      draft.parts.push({ kind: "text", id: part.id, length: 0, metadata: part.providerMetadata });
      return;
    case "reasoning-start":
      draft.parts.push({ kind: "reasoning", id: part.id, text: "", metadata: part.providerMetadata });
      return;
    case "text-delta":
    case "text-end":
    case "reasoning-delta":
    case "reasoning-end":
      grow(draft, part);
      return;
    case "tool-call":
      draft.parts.push({ kind: "call", metadata: part.providerMetadata });
      draft.calls.push({ tool_name: part.toolName, arguments: part.input, provider_call_id: part.toolCallId });
      return;
    case "stream-start":
      draft.warnings = part.warnings.map(worded);
      return;
    case "finish":
      draft.finish = part;
      draft.block = blockIn(part.providerMetadata);
  }
}

type Growth = Extract<SdkPart, { type: "text-delta" | "text-end" | "reasoning-delta" | "reasoning-end" }>;

function grow(draft: Draft, part: Growth): void {
  const delta = "delta" in part ? part.delta : "";
  const kind = part.type.startsWith("text") ? "text" : "reasoning";
  const open = draft.parts.findLast((one) => one.kind === kind && one.id === part.id);
  if (!open) return;
  // Signatures come last, in a piece without text.
  if (part.providerMetadata !== undefined) open.metadata = merged(open.metadata, part.providerMetadata);
  if (open.kind === "reasoning") open.text += delta;
  if (open.kind !== "text") return;
  // Texts may not be told apart by order alone if a provider interleaves them, and none does.
  open.length += delta.length;
  draft.text += delta;
}

function merged(before: unknown, after: Record<string, unknown>): Record<string, unknown> {
  const old = (before ?? {}) as Record<string, object>;
  const joined = Object.entries(after).map(([vendor, facts]) => [vendor, { ...old[vendor], ...(facts as object) }]);
  return { ...old, ...Object.fromEntries(joined) };
}

function answerOf(draft: Draft, settings: LlmSettings): ModelAnswer {
  const { parts, text, calls, warnings, finish } = draft;
  const { unified, raw } = finish?.finishReason ?? { unified: "error", raw: undefined };
  const usage = finish ? usageOf(finish.usage, settings) : undefined;
  // A stream that is cut cleanly ends like any other, but without saying why.
  if (raw === undefined && (unified === "other" || unified === "error"))
    throw new BrokenOff("the answer broke off before its end");
  if (unified === "error") throw new BrokenOff(`the answer ended with ${raw}`);
  const model = `${settings.provider}/${settings.model}`;
  const finish_reason = raw ?? unified;
  if (draft.block !== undefined && calls.length === 0 && text === "")
    throw new ModelError("prompt_blocked", blockedWords(draft.block, settings), usage);
  const early = earlyEnd(unified, raw, calls.length > 0, settings);
  if (early) {
    const partial = { text, metadata: { model, finish_reason } };
    throw new ModelError(early.code, early.message, usage, text === "" ? undefined : partial);
  }
  const state = { provider: settings.provider, model: settings.model, parts: parts.map(({ id: _, ...part }) => part) };
  return {
    kind: "answer",
    text,
    tool_calls: calls,
    // Claude pauses a long turn by itself, and continues when it is sent what it has said so far.
    is_unfinished: raw === "pause_turn",
    ...(usage && { usage }),
    metadata: {
      model,
      finish_reason,
      ...(warnings.length > 0 && { warnings }),
      ...(usage?.cost !== undefined && settings.provider !== "openrouter" && { prices_date: PRICES_DATE }),
      model_state: state,
    },
  };
}

const Blocked = z.object({ google: z.object({ promptFeedback: z.object({ blockReason: z.string().min(1) }) }) });

function blockIn(metadata: unknown): string | undefined {
  const reason = Blocked.safeParse(metadata).data?.google.promptFeedback.blockReason;
  return reason === undefined || reason.endsWith("_UNSPECIFIED") ? undefined : reason;
}

const blockedWords = (reason: string, { provider }: LlmSettings): string =>
  `${provider} blocked the prompt (${reason}), and the model has not read it. Change the prompt, the instruction or the context`;

/** Other words for "done", from servers that deviate from chat completions. */
const DONE = /^(eos|eos_token|end_turn|stop|stop_sequence|complete|completed|finished)$/i;

/** Why an answer is not whole; null for one that is. Half a text once passed for a success. */
function earlyEnd(
  unified: Finish["finishReason"]["unified"],
  raw: string | undefined,
  hasCalls: boolean,
  { provider, max_tokens }: LlmSettings,
): { code: TurnCode; message: string } | null {
  if (unified === "content-filter")
    return {
      code: "content_filtered",
      message: `${provider} refused or withheld the answer (${raw ?? "refusal"}). Change the instruction or the context`,
    };
  if (raw === "model_context_window_exceeded")
    return { code: "context_overflow", message: "the answer no longer fits into the model's window" };
  if (unified === "length" && !hasCalls)
    return {
      code: "output_truncated",
      message: `the answer was cut at ${max_tokens ?? "the model's"} tokens; raise llm_config.max_tokens, or ask for less at once`,
    };
  if (unified === "other" && raw !== undefined && !DONE.test(raw))
    return {
      code: "answer_incomplete",
      message: `${provider} ended the answer before it was complete (${raw}). Launch again`,
    };
  return null;
}

/** OpenRouter reports what it billed, in US dollars; for others only the price table is known. */
function billed(raw: SdkFinish["usage"]["raw"], { provider }: LlmSettings): number | undefined {
  const cost = provider === "openrouter" ? raw?.cost : undefined;
  return typeof cost === "number" && cost >= 0 && Number.isFinite(cost) ? Math.round(cost * 1e6) / 1e6 : undefined;
}

function usageOf(
  { inputTokens, outputTokens, raw }: SdkFinish["usage"],
  settings: LlmSettings,
): ModelUsage | undefined {
  const counted: [keyof ModelUsage, number | undefined][] = [
    ["input_tokens", inputTokens.total],
    ["output_tokens", outputTokens.total],
    ["cached_input_tokens", inputTokens.cacheRead],
    // Zero is what clients say of providers that have no price for it.
    ["cache_write_tokens", inputTokens.cacheWrite || undefined],
    ["reasoning_tokens", outputTokens.reasoning],
  ];
  const usage: ModelUsage = Object.fromEntries(counted.filter(([, count]) => count !== undefined));
  if (Object.keys(usage).length === 0) return undefined;
  const cost = billed(raw, settings) ?? costOf(settings, usage);
  return cost === undefined ? usage : { ...usage, cost };
}
