// Live server-sent events: the frames of a project, resumable by Last-Event-ID or `after`, and the streamed text of a turn's
// model.
import * as z from "zod";
import { Frame, Reset, ThinkingPiece } from "@/server/contract/answers/frames";
import type { TrackedFrame } from "@/server/contract/frame";
import type { ThinkingPiece as Piece } from "@/server/contract/thinking";
import { isReset, parseCursor } from "@/server/kernel/journal/cursor";
import { readCursor } from "@/server/kernel/journal/read-cursor";
import type { Kernel } from "@/server/kernel/kernel";
import { readTurn } from "@/server/kernel/read-models/read-turn";
import { streamFrames } from "@/server/kernel/read-models/stream-frames";
import { streamThinking } from "@/server/kernel/read-models/stream-thinking";
import { readProject } from "@/server/kernel/roster/read-project";
import { eventStream } from "../event-stream";
import { id, route } from "../route";

type StreamInput = Parameters<typeof streamFrames>[1];

export const eventRoutes = [
  route({
    operationId: "streamEvents",
    method: "GET",
    path: "/projects/{project_id}/events",
    summary: "Stream the frames of a project as server-sent events",
    description:
      "The id of each event is its cursor: continue with `Last-Event-ID` or `after`. Without a cursor the stream starts now. It begins with the id of its start and no data, so that an EventSource can continue from there before its first event. An event `reset` means that the frames after your cursor are gone (too old, or the database was restored): read again what you show. The stream continues from the id of that event.",
    query: z.strictObject({ after: z.string().optional() }),
    event: z.union([Frame, Reset]),
    call: async ({ kernel, params, query, request }) => {
      const project_id = id(params, "project_id");
      await readProject(kernel, project_id);
      const given = request.headers.get("last-event-id") ?? query.after;
      if (given !== undefined) parseCursor(project_id, given);
      const after = given ?? (await readCursor(kernel, project_id));
      return eventStream(request.signal, (signal) => eventsAfter(kernel, { project_id, after, signal }), after);
    },
  }),
  route({
    operationId: "streamThinking",
    method: "GET",
    path: "/projects/{project_id}/turns/{agent_turn_id}/thinking",
    summary: "Stream what the model of a turn says, as server-sent events",
    description:
      "Starts at the beginning of the current step. Nothing of it is stored; the card that follows has the whole text.",
    event: ThinkingPiece,
    call: async ({ kernel, params, request }) => {
      const turn = { project_id: id(params, "project_id"), agent_turn_id: id(params, "agent_turn_id") };
      await readTurn(kernel, turn);
      return eventStream(request.signal, (signal) => thinkingEvents(streamThinking(kernel, { ...turn, signal })));
    },
  }),
];

// Never silence, and never just an end: an EventSource would reconnect with the same id again and again.
async function* eventsAfter(kernel: Kernel, input: StreamInput): AsyncGenerator<string> {
  for (let after = input.after; !input.signal.aborted; ) {
    try {
      yield* frameEvents(streamFrames(kernel, { ...input, after }));
    } catch (error) {
      if (!isReset(error)) throw error;
      after = await readCursor(kernel, input.project_id);
      yield `id: ${after}\nevent: reset\ndata: ${JSON.stringify({ reset: true, reason: error.message })}\n\n`;
    }
  }
}

/** Events sent as one message: what a reader has not taken waits in memory. */
const EVENT_CHARS_MAX = 32_768;

async function* frameEvents(batches: AsyncIterable<TrackedFrame[]>): AsyncGenerator<string> {
  for await (const frames of batches) {
    let text = "";
    for (const { cursor, frame } of frames) {
      text += `id: ${cursor}\nevent: ${frame.kind}\ndata: ${JSON.stringify(frame)}\n\n`;
      if (text.length < EVENT_CHARS_MAX) continue;
      yield text;
      text = "";
    }
    if (text !== "") yield text;
  }
}

/** Without ids: there is nothing to resume, a reader that reconnects starts from the beginning. */
async function* thinkingEvents(pieces: AsyncIterable<Piece>): AsyncGenerator<string> {
  for await (const piece of pieces) yield `event: thinking\ndata: ${JSON.stringify(piece)}\n\n`;
}
