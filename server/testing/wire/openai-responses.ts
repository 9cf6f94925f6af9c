// OpenAI's responses: typed events, and items with ids of their own.
import {
  argumentsOf,
  type Dialect,
  idOf,
  piecesOf,
  usageOf,
  type WireCall,
  type WireError,
  type WireReply,
} from "./reply";

export const openaiResponses: Dialect = {
  root: "/v1",
  speaks: (path) => path === "/v1/responses",
  isStreamed: (_, body) => body.stream === true,
  whole: (reply, body) => responseOf(reply, body),
  events,
  error,
  errorEvent: (given) =>
    event({
      type: "response.failed",
      response: {
        id: "resp_1",
        status: "failed",
        error: { code: given.code ?? "server_error", message: given.message },
      },
    }),
};

const event = (data: { type: string } & Record<string, unknown>): string =>
  `event: ${data.type}\ndata: ${JSON.stringify({ sequence_number: 0, ...data })}`;

function responseOf(reply: WireReply, body: Record<string, unknown>) {
  const isWhole = reply.finish === undefined || reply.finish === "stop";
  return {
    id: "resp_1",
    object: "response",
    created_at: 1_790_000_000,
    status: isWhole ? "completed" : reply.finish === "failed" ? "failed" : "incomplete",
    error: reply.finish === "failed" ? { code: "server_error", message: "the model broke" } : null,
    incomplete_details: isWhole || reply.finish === "failed" ? null : { reason: reasons[reply.finish ?? ""] },
    model: body.model,
    output: itemsOf(reply),
    usage: usage(reply),
  };
}

const reasons: Record<string, string> = { length: "max_output_tokens", filter: "content_filter", other: "canceled" };

function itemsOf(reply: WireReply) {
  return [
    ...(reply.reasoning === undefined && reply.signature === undefined ? [] : [reasoningOf(reply)]),
    ...(reply.text === undefined ? [] : [messageOf(reply.text)]),
    ...(reply.calls ?? []).map(callOf),
  ];
}

const reasoningOf = ({ reasoning, signature }: WireReply) => ({
  type: "reasoning",
  id: "rs_1",
  summary: reasoning === undefined ? [] : [{ type: "summary_text", text: reasoning }],
  encrypted_content: signature ?? null,
});

const messageOf = (text: string) => ({
  type: "message",
  id: "msg_1",
  status: "completed",
  role: "assistant",
  content: [{ type: "output_text", text, annotations: [], logprobs: [] }],
});

const callOf = (call: WireCall, at: number) => ({
  type: "function_call",
  id: `fc_${at}`,
  status: "completed",
  call_id: idOf(call, at),
  name: call.name,
  arguments: argumentsOf(call),
});

function events(reply: WireReply, body: Record<string, unknown>): string[] {
  const response = responseOf(reply, body);
  const items = response.output.flatMap((item, output_index) => [
    event({ type: "response.output_item.added", output_index, item: { ...item, ...emptied(item.type) } }),
    ...middleOf(item, output_index),
    event({ type: "response.output_item.done", output_index, item }),
  ]);
  return [
    event({ type: "response.created", response: { ...response, status: "in_progress", output: [], usage: null } }),
    ...items,
    event({ type: `response.${response.status}`, response }),
  ];
}

function emptied(type: string): object {
  if (type === "message") return { content: [], status: "in_progress" };
  return type === "function_call" ? { arguments: "", status: "in_progress" } : { summary: [] };
}

type Item = ReturnType<typeof itemsOf>[number];

function middleOf(item: Item, output_index: number): string[] {
  const place = { item_id: item.id, output_index };
  if ("content" in item)
    return piecesOf(item.content[0]?.text ?? "").map((delta) =>
      event({ type: "response.output_text.delta", ...place, content_index: 0, delta, logprobs: [] }),
    );
  if ("arguments" in item)
    return piecesOf(item.arguments).map((delta) =>
      event({ type: "response.function_call_arguments.delta", ...place, delta }),
    );
  return item.summary.flatMap(({ text }, summary_index) => [
    event({
      type: "response.reasoning_summary_part.added",
      ...place,
      summary_index,
      part: { type: "summary_text", text: "" },
    }),
    ...piecesOf(text).map((delta) =>
      event({ type: "response.reasoning_summary_text.delta", ...place, summary_index, delta }),
    ),
    event({
      type: "response.reasoning_summary_part.done",
      ...place,
      summary_index,
      part: { type: "summary_text", text },
    }),
  ]);
}

function usage(reply: WireReply) {
  const { input_tokens, output_tokens, cached_input_tokens, reasoning_tokens } = usageOf(reply);
  return {
    input_tokens,
    input_tokens_details: { cached_tokens: cached_input_tokens },
    output_tokens,
    output_tokens_details: { reasoning_tokens },
    total_tokens: input_tokens + output_tokens,
  };
}

function error({ status, message, code }: WireError) {
  return {
    error: { message, type: status >= 500 ? "server_error" : "invalid_request_error", param: null, code: code ?? null },
  };
}
