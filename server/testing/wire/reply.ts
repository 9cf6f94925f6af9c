// What a wire server answers next, independent of the provider's format.

export type WireReply = {
  text?: string;
  /** Thinking aloud, before the text. */
  reasoning?: string;
  /** What the provider wants back with the next request: a thinking block's signature, encrypted reasoning. */
  signature?: string;
  calls?: WireCall[];
  usage?: WireUsage;
  /** `other` = a reason that ends the answer early and has no name of its own here; `pause` is Claude's alone. */
  finish?: "stop" | "length" | "filter" | "other" | "pause" | "failed";
  /** Google's reason for which it blocks a prompt: then there is no candidate at all. */
  blocked?: string;
  /** Instead of an answer; with `after`, in the middle of a stream that began well. */
  error?: WireError;
  /** Events of the stream until the socket is torn (0 = none, not even a status). */
  diesAfter?: number;
  /** Events until the stream is closed in good order, too early. */
  endsAfter?: number;
  /** Events until nothing more comes. */
  stallsAfter?: number;
  /** Before the first byte. */
  delayMs?: number;
  /** Between two events. */
  gapMs?: number;
};

/** An `id` left out is call_0, call_1, ... in every reply anew, as some providers do; arguments that are text are sent as they are. */
export type WireCall = { id?: string; name: string; arguments?: unknown; signature?: string };

export type WireUsage = {
  input_tokens: number;
  output_tokens: number;
  cached_input_tokens?: number;
  reasoning_tokens?: number;
  /** Written into a cache, beside the input: Anthropic says so. */
  cache_write_tokens?: number;
  /** US dollars: OpenRouter says so. */
  cost?: number;
};

export type WireError = {
  status: number;
  message: string;
  code?: string;
  headers?: Record<string, string>;
  after?: number;
};

/** One provider's way of saying it. `body` is the request's. */
export type Dialect = {
  /** Of the base URL that a client is given. */
  root: string;
  /** Whether a path is answered at all. */
  speaks: (path: string) => boolean;
  isStreamed: (path: string, body: Record<string, unknown>) => boolean;
  whole: (reply: WireReply, body: Record<string, unknown>, path: string) => unknown;
  /** Each the text of one server-sent event, without its end. */
  events: (reply: WireReply, body: Record<string, unknown>, path: string) => string[];
  error: (error: WireError) => unknown;
  /** The same in the middle of a stream. */
  errorEvent: (error: WireError) => string;
};

export const usageOf = (reply: WireReply): Required<Omit<WireUsage, "cost">> & { cost?: number } => ({
  cached_input_tokens: 0,
  reasoning_tokens: 0,
  cache_write_tokens: 0,
  ...(reply.usage ?? { input_tokens: 100, output_tokens: 10 }),
});

export const argumentsOf = (call: WireCall): string =>
  typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments ?? {});

export const idOf = (call: WireCall, at: number): string => call.id ?? `call_${at}`;

/** Text in the portions in which a stream brings it. */
export function piecesOf(text: string, size = 12): string[] {
  const letters = Array.from(text);
  return Array.from({ length: Math.ceil(letters.length / size) }, (_, n) =>
    letters.slice(n * size, (n + 1) * size).join(""),
  );
}

export const dataEvent = (data: unknown): string => `data: ${typeof data === "string" ? data : JSON.stringify(data)}`;
