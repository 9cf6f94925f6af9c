// A stream of server-sent events: its life, its pings, and its end from either side. The next event is created only when the
// reader has taken the last: eight clients that never read once held a gigabyte. keep-time.ts disconnects a stalled one.

/** A stream's maximum life, so that reconnecting is tested every day. */
const LIFE_MS = 10 * 60_000;
const PING_MS = 10_000;

/** `events` yields the text of each event and ends when its signal is aborted. `start`: the id before the first of them. */
export function eventStream(
  gone: AbortSignal,
  events: (signal: AbortSignal) => AsyncIterable<string>,
  start?: string,
): Response {
  // A block of an id alone sets the id and is no event. Without it, an EventSource that was cut off before the first event
  // came back without an id, started at the end, and never got what was written in between.
  const opening = `retry: 1000\n\n${start === undefined ? "" : `id: ${start}\n\n`}`;
  return new Response(eventBody(gone, events, opening), {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    },
  });
}

function eventBody(
  gone: AbortSignal,
  events: (signal: AbortSignal) => AsyncIterable<string>,
  opening: string,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const ended = new AbortController();
  const source = events(ended.signal)[Symbol.asyncIterator]();
  let ping: NodeJS.Timeout | undefined;
  const life = setTimeout(stop, LIFE_MS);
  function stop(): void {
    clearTimeout(life);
    clearInterval(ping);
    gone.removeEventListener("abort", stop);
    ended.abort();
    // A generator waiting for its reader does not see the signal, and would listen until the process ends.
    void source.return?.()?.catch(() => undefined);
  }
  return new ReadableStream({
    start(controller) {
      gone.addEventListener("abort", stop);
      if (gone.aborted) stop();
      ping = setInterval(() => {
        // An event that was not read yet shows the same.
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(": ping\n\n"));
      }, PING_MS);
      controller.enqueue(encoder.encode(opening));
    },
    async pull(controller) {
      try {
        const next = await source.next();
        if (!next.done) return controller.enqueue(encoder.encode(next.value));
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        controller.enqueue(encoder.encode(`event: error\ndata: ${JSON.stringify({ error_message: message })}\n\n`));
      }
      stop();
      controller.close();
    },
    cancel: stop,
  });
}
