// One request to a provider, from its first byte to its last: the stored bytes are the bytes that are sent, every wait is
// bounded, and it ends as soon as another worker has the turn.
import { callOptions, namesOn } from "./call-options";
import type { Endpoint } from "./endpoint";
import { TimedOut } from "./faults";
import { clientOf, type Fetch, languageModel } from "./language-model";
import type { LlmSettings } from "./llm-settings";
import type { ModelEvent, ModelRequest } from "./model";
import { readStream, readWhole } from "./read-answer";
import type { ModelTiming } from "./timing";
import { unwired } from "./wired-names";

export type AttemptInput = {
  request: ModelRequest;
  settings: LlmSettings;
  endpoint: Endpoint;
  /** As stored. */
  bytes: string;
  timing: ModelTiming;
  signal: AbortSignal;
};

export async function* attempt(input: AttemptInput): AsyncGenerator<ModelEvent> {
  const { request, settings, endpoint, bytes, timing, signal } = input;
  const own = new AbortController();
  const stop = AbortSignal.any([signal, own.signal]);
  const clock = createClock(timing, settings.stream, (why) => own.abort(why));
  const fetch: Fetch = async (url, init) => {
    // A redirect would carry the key to a host that nobody configured.
    const response = await globalThis.fetch(url, { ...init, body: bytes, redirect: "error" });
    return watched(response, clock.beat);
  };
  const client = clientOf(endpoint);
  const options = { ...callOptions(request, settings, client), abortSignal: stop };
  const names = namesOn(request, settings, client);
  const model = languageModel(endpoint, settings.model, fetch);
  try {
    if (settings.stream) {
      const { stream } = await untilAborted(stop, model.doStream(options));
      for await (const event of readStream(abortable(stream, stop), settings)) yield unwired(event, names);
    } else
      for (const event of readWhole(await untilAborted(stop, model.doGenerate(options)), settings))
        yield unwired(event, names);
  } catch (error) {
    // On an abort the client throws its own error; the reason of the abort is what matters.
    stop.throwIfAborted();
    throw error;
  } finally {
    clock.end();
    own.abort();
  }
}

/**
 * Limits for the first byte, the gap and the whole, on two timers. An answer that is not streamed has only one byte, its
 * last.
 */
function createClock(timing: ModelTiming, isStreamed: boolean, late: (why: TimedOut) => void) {
  const { firstByteMs, gapMs, callMs } = timing;
  const seconds = (ms: number) => `${Math.round(ms / 100) / 10} s`;
  const whole = setTimeout(() => late(new TimedOut(`no complete answer within ${seconds(callMs)}`, true)), callMs);
  const first = () => late(new TimedOut(`no answer within ${seconds(firstByteMs)}`));
  let next = isStreamed ? setTimeout(first, firstByteMs) : undefined;
  return {
    beat: () => {
      clearTimeout(next);
      next = setTimeout(() => late(new TimedOut(`nothing more came for ${seconds(gapMs)}`)), gapMs);
    },
    end: () => {
      clearTimeout(whole);
      clearTimeout(next);
    },
  };
}

/** Reports every piece of the body, also those the client ignores: keep-alives are sent for that. */
function watched(response: Response, beat: () => void): Response {
  beat();
  if (response.body === null) return response;
  const passing = new TransformStream<Uint8Array, Uint8Array>({
    transform: (piece, controller) => {
      beat();
      controller.enqueue(piece);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(passing), { status, statusText, headers });
}

function untilAborted<T>(signal: AbortSignal, work: PromiseLike<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", leave));
  });
}

/** Ends with the signal, whatever the stream does. */
async function* abortable<T>(stream: ReadableStream<T>, signal: AbortSignal): AsyncGenerator<T> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await untilAborted(signal, reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
