// Anthropic's messages: content blocks that start, grow and stop.
import { argumentsOf, type Dialect, idOf, piecesOf, usageOf, type WireError, type WireReply } from "./reply";

export const anthropic: Dialect = {
  root: "/v1",
  speaks: (path) => path === "/v1/messages",
  isStreamed: (_, body) => body.stream === true,
  whole: (reply, body) => ({
    ...headOf(body),
    content: blocksOf(reply),
    stop_reason: stopOf(reply),
    stop_sequence: null,
    usage: usage(reply),
  }),
  events,
  error,
  errorEvent: (given) => event(error(given)),
};

const event = (data: { type: string } & Record<string, unknown>): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}`;

const headOf = (body: Record<string, unknown>) => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: body.model,
});

type Block =
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "text"; text: string }
  | { type: "tool_use"; id: string; name: string; input: unknown; raw: string };

function blocksOf(reply: WireReply): Block[] {
  const { reasoning, signature, text, calls = [] } = reply;
  return [
    ...(reasoning === undefined
      ? []
      : [{ type: "thinking" as const, thinking: reasoning, signature: signature ?? "sig" }]),
    ...(text === undefined ? [] : [{ type: "text" as const, text }]),
    ...calls.map((call, at) => {
      const raw = argumentsOf(call);
      return { type: "tool_use" as const, id: idOf(call, at), name: call.name, input: parsed(raw), raw };
    }),
  ];
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return {};
  }
}

function events(reply: WireReply, body: Record<string, unknown>): string[] {
  const counts = usage(reply);
  return [
    event({
      type: "message_start",
      message: {
        ...headOf(body),
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...counts, output_tokens: 1 },
      },
    }),
    event({ type: "ping" }),
    ...blocksOf(reply).flatMap((block, index) => [
      event({ type: "content_block_start", index, content_block: emptied(block) }),
      ...deltasOf(block).map((delta) => event({ type: "content_block_delta", index, delta })),
      event({ type: "content_block_stop", index }),
    ]),
    event({
      type: "message_delta",
      delta: { stop_reason: stopOf(reply), stop_sequence: null },
      usage: { output_tokens: counts.output_tokens },
    }),
    event({ type: "message_stop" }),
  ];
}

function emptied(block: Block): object {
  if (block.type === "thinking") return { type: "thinking", thinking: "", signature: "" };
  if (block.type === "text") return { type: "text", text: "" };
  return { type: "tool_use", id: block.id, name: block.name, input: {} };
}

function deltasOf(block: Block): object[] {
  if (block.type === "text") return piecesOf(block.text).map((text) => ({ type: "text_delta", text }));
  if (block.type === "tool_use")
    return ["", ...piecesOf(block.raw)].map((partial_json) => ({ type: "input_json_delta", partial_json }));
  return [
    ...piecesOf(block.thinking).map((thinking) => ({ type: "thinking_delta", thinking })),
    { type: "signature_delta", signature: block.signature },
  ];
}

function stopOf(reply: WireReply): string {
  if (reply.finish === "length") return "max_tokens";
  if (reply.finish === "filter") return "refusal";
  if (reply.finish === "pause") return "pause_turn";
  if (reply.finish === "other") return "stopped_for_maintenance";
  return reply.calls?.length ? "tool_use" : "end_turn";
}

/** What was read from the cache or written into it is not counted among the input here. */
function usage(reply: WireReply) {
  const { input_tokens, output_tokens, cached_input_tokens, cache_write_tokens } = usageOf(reply);
  return {
    input_tokens: input_tokens - cached_input_tokens - cache_write_tokens,
    cache_creation_input_tokens: cache_write_tokens,
    cache_read_input_tokens: cached_input_tokens,
    output_tokens,
  };
}

const types: Record<number, string> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  529: "overloaded_error",
};

function error({ status, message, code }: WireError) {
  return {
    type: "error",
    error: { type: code ?? types[status] ?? "invalid_request_error", message },
  };
}
