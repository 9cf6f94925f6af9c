// OpenAI's chat completions, which Ollama, vLLM, OpenRouter, Moonshot and many more speak too.
import { argumentsOf, type Dialect, dataEvent, idOf, piecesOf, usageOf, type WireError, type WireReply } from "./reply";

export const openaiChat: Dialect = {
  root: "/v1",
  speaks: (path) => path === "/v1/chat/completions",
  isStreamed: (_, body) => body.stream === true,
  whole: (reply, body) => ({
    ...headOf(body, "chat.completion"),
    choices: [{ index: 0, message: messageOf(reply), logprobs: null, finish_reason: finishOf(reply) }],
    usage: usage(reply),
  }),
  events,
  error,
  errorEvent: (given) => dataEvent(error(given)),
};

const headOf = (body: Record<string, unknown>, object: string) => ({
  id: "chatcmpl-1",
  object,
  created: 1_790_000_000,
  model: body.model,
});

function messageOf(reply: WireReply) {
  const tool_calls = (reply.calls ?? []).map((call, at) => ({
    id: idOf(call, at),
    type: "function",
    function: { name: call.name, arguments: argumentsOf(call) },
  }));
  return {
    role: "assistant",
    content: reply.text ?? null,
    ...(reply.reasoning !== undefined && { reasoning_content: reply.reasoning }),
    ...(tool_calls.length > 0 && { tool_calls }),
  };
}

function events(reply: WireReply, body: Record<string, unknown>): string[] {
  const chunk = (delta: object, finish_reason: string | null = null) =>
    dataEvent({ ...headOf(body, "chat.completion.chunk"), choices: [{ index: 0, delta, finish_reason }] });
  const wantsUsage = (body.stream_options as { include_usage?: boolean } | undefined)?.include_usage === true;
  return [
    chunk({ role: "assistant", content: "" }),
    ...piecesOf(reply.reasoning ?? "").map((reasoning_content) => chunk({ reasoning_content })),
    ...piecesOf(reply.text ?? "").map((content) => chunk({ content })),
    ...(reply.calls ?? []).flatMap((call, index) => {
      const head = { index, id: idOf(call, index), type: "function", function: { name: call.name, arguments: "" } };
      const rest = piecesOf(argumentsOf(call)).map((piece) => ({ index, function: { arguments: piece } }));
      return [head, ...rest].map((one) => chunk({ tool_calls: [one] }));
    }),
    chunk({}, finishOf(reply)),
    ...(wantsUsage ? [dataEvent({ ...headOf(body, "chat.completion.chunk"), choices: [], usage: usage(reply) })] : []),
    dataEvent("[DONE]"),
  ];
}

function finishOf(reply: WireReply): string {
  if (reply.finish === "length") return "length";
  if (reply.finish === "filter") return "content_filter";
  if (reply.finish === "other") return "aborted";
  return reply.calls?.length ? "tool_calls" : "stop";
}

function usage(reply: WireReply) {
  const { input_tokens, output_tokens, cached_input_tokens, reasoning_tokens, cost } = usageOf(reply);
  return {
    prompt_tokens: input_tokens,
    completion_tokens: output_tokens,
    total_tokens: input_tokens + output_tokens,
    prompt_tokens_details: { cached_tokens: cached_input_tokens },
    completion_tokens_details: { reasoning_tokens },
    ...(cost !== undefined && { cost }),
  };
}

function error({ status, message, code }: WireError) {
  return {
    error: { message, type: status >= 500 ? "server_error" : "invalid_request_error", param: null, code: code ?? null },
  };
}
