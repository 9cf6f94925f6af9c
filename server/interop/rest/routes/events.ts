// The live frames of a project as server-sent events, resumable by Last-Event-ID or `after`.
import * as z from "zod";
import { readSnapshot } from "@/server/kernel/graph/read-snapshot";
import { streamFrames } from "@/server/kernel/graph/stream-frames";
import { parseCursor } from "@/server/kernel/journal/cursor";
import { readProject } from "@/server/kernel/roster/read-project";
import { id, route } from "../route";

/** A stream's life: reconnecting is an everyday path. */
const LIFE_MS = 10 * 60_000;
const PING_MS = 10_000;

export const eventRoutes = [
  route({
    method: "GET",
    path: "/projects/{project_id}/events",
    summary: "Server-sent events: every frame with its cursor as id; without a cursor, from now on",
    query: z.strictObject({ after: z.string().optional() }),
    answer: "text/event-stream of Frame",
    call: async ({ kernel, params, query, request }) => {
      const project_id = id(params, "project_id");
      await readProject(kernel, project_id);
      const given = request.headers.get("last-event-id") ?? query.after;
      if (given !== undefined) parseCursor(project_id, given);
      const after = given ?? (await readSnapshot(kernel, { project_id, limit: 1 })).cursor;
      return new Response(eventBody(streamFrames, kernel, { project_id, after, signal: request.signal }), {
        headers: {
          "content-type": "text/event-stream; charset=utf-8",
          "cache-control": "no-store",
          "x-accel-buffering": "no",
        },
      });
    },
  }),
];

function eventBody(
  stream: typeof streamFrames,
  kernel: Parameters<typeof streamFrames>[0],
  input: { project_id: string; after: string; signal: AbortSignal },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const ended = new AbortController();
  const stop = () => ended.abort();
  return new ReadableStream({
    async start(controller) {
      const send = (text: string) => {
        if (!ended.signal.aborted) controller.enqueue(encoder.encode(text));
      };
      const life = setTimeout(stop, LIFE_MS);
      const ping = setInterval(() => send(": ping\n\n"), PING_MS);
      input.signal.addEventListener("abort", stop);
      send("retry: 1000\n\n");
      try {
        for await (const frames of stream(kernel, { ...input, signal: ended.signal }))
          for (const { cursor, frame } of frames)
            send(`id: ${cursor}\nevent: ${frame.kind}\ndata: ${JSON.stringify(frame)}\n\n`);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        send(`event: error\ndata: ${JSON.stringify({ error_message: message })}\n\n`);
      } finally {
        clearTimeout(life);
        clearInterval(ping);
        input.signal.removeEventListener("abort", stop);
        if (!ended.signal.aborted || !input.signal.aborted) controller.close();
        stop();
      }
    },
    cancel: stop,
  });
}
