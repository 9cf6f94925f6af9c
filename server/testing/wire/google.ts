// Google's generateContent and streamGenerateContent: the model is named in the path, calls need no ids, thoughts are signed.
import { argumentsOf, type Dialect, dataEvent, piecesOf, usageOf, type WireError, type WireReply } from "./reply";

export const google: Dialect = {
  root: "/v1beta",
  speaks: (path) => /^\/v1beta\/models\/[^/]+:(generateContent|streamGenerateContent)$/.test(path),
  isStreamed: (path) => path.endsWith(":streamGenerateContent"),
  whole: (reply, _, path) => (reply.blocked ? blockedOf(reply) : chunkOf(path, partsOf(reply), reply, true)),
  events: (reply, _, path) => {
    if (reply.blocked) return [dataEvent(blockedOf(reply))];
    const parts = partsOf(reply).flatMap(split);
    const last = parts.pop();
    return [
      ...parts.map((part) => dataEvent(chunkOf(path, [part], reply, false))),
      dataEvent(chunkOf(path, last ? [last] : [{ text: "" }], reply, true)),
    ];
  },
  error,
  errorEvent: (given) => dataEvent(error(given)),
};

const blockedOf = (reply: WireReply) => ({
  promptFeedback: { blockReason: reply.blocked },
  usageMetadata: { promptTokenCount: usageOf(reply).input_tokens, totalTokenCount: usageOf(reply).input_tokens },
});

type Part = { text?: string; thought?: true; thoughtSignature?: string; functionCall?: object };

function partsOf(reply: WireReply): Part[] {
  return [
    ...(reply.reasoning === undefined ? [] : [{ text: reply.reasoning, thought: true as const }]),
    ...(reply.text === undefined
      ? []
      : [{ text: reply.text, ...(reply.signature && { thoughtSignature: reply.signature }) }]),
    ...(reply.calls ?? []).map((call) => ({
      functionCall: { name: call.name, args: parsed(argumentsOf(call)), ...(call.id && { id: call.id }) },
      ...(call.signature && { thoughtSignature: call.signature }),
    })),
  ];
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return {};
  }
}

/** A signature comes with the last piece. */
function split({ text, thoughtSignature, ...rest }: Part): Part[] {
  const signed = { ...rest, ...(thoughtSignature && { thoughtSignature }) };
  if (text === undefined) return [signed];
  const pieces = piecesOf(text);
  return pieces.map((piece, n) => ({ ...(n === pieces.length - 1 ? signed : rest), text: piece }));
}

function chunkOf(path: string, parts: Part[], reply: WireReply, isLast: boolean) {
  const { input_tokens, output_tokens, cached_input_tokens, reasoning_tokens } = usageOf(reply);
  return {
    candidates: [{ content: { role: "model", parts }, index: 0, ...(isLast && { finishReason: finishOf(reply) }) }],
    usageMetadata: {
      promptTokenCount: input_tokens,
      cachedContentTokenCount: cached_input_tokens,
      // Thoughts are not counted among the candidates' tokens here.
      candidatesTokenCount: isLast ? output_tokens - reasoning_tokens : 1,
      thoughtsTokenCount: reasoning_tokens,
      totalTokenCount: input_tokens + output_tokens,
    },
    modelVersion: path.slice(path.lastIndexOf("/") + 1, path.lastIndexOf(":")),
    responseId: "resp_1",
  };
}

function finishOf(reply: WireReply): string {
  if (reply.finish === "length") return "MAX_TOKENS";
  if (reply.finish === "other") return "OTHER";
  return reply.finish === "filter" ? "SAFETY" : "STOP";
}

const statuses: Record<number, string> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
};

function error({ status, message, code }: WireError) {
  return {
    error: { code: status, message, status: code ?? statuses[status] ?? "UNKNOWN" },
  };
}
