// A stream of server-sent events: its life, its pings, and its end from either side.

/** A stream's life: reconnecting is an everyday path. */
const LIFE_MS = 10 * 60_000;
const PING_MS = 10_000;

/** `events` yields the text of each event and ends when its signal is aborted. */
export function eventStream(gone: AbortSignal, events: (signal: AbortSignal) => AsyncIterable<string>): Response {
  return new Response(eventBody(gone, events), {
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
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const ended = new AbortController();
  const stop = () => ended.abort();
  let isCanceled = false;
  return new ReadableStream({
    async start(controller) {
      const send = (text: string) => {
        if (!ended.signal.aborted) controller.enqueue(encoder.encode(text));
      };
      const life = setTimeout(stop, LIFE_MS);
      const ping = setInterval(() => send(": ping\n\n"), PING_MS);
      gone.addEventListener("abort", stop);
      if (gone.aborted) stop();
      send("retry: 1000\n\n");
      try {
        for await (const event of events(ended.signal)) send(event);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        send(`event: error\ndata: ${JSON.stringify({ error_message: message })}\n\n`);
      } finally {
        clearTimeout(life);
        clearInterval(ping);
        gone.removeEventListener("abort", stop);
        if (!isCanceled) controller.close();
        stop();
      }
    },
    cancel() {
      isCanceled = true;
      stop();
    },
  });
}
