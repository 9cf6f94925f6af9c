// The yard's reads: a picture with its cursor, the frames after it, and the steps of the turns in view.
import { tracked } from "@trpc/server";
import * as z from "zod";
import { INT_MAX } from "@/server/contract/bounds";
import type { TrackedFrame } from "@/server/contract/frame";
import { Id } from "@/server/contract/ids";
import { AsOfQuery } from "@/server/contract/run-history";
import { STEP_TURNS_MAX } from "@/server/contract/spans";
import { readAsOf } from "@/server/kernel/read-models/read-as-of";
import { readRunHistory } from "@/server/kernel/read-models/read-run-history";
import { readRunWork } from "@/server/kernel/read-models/read-run-work";
import { readLeanSnapshot } from "@/server/kernel/read-models/read-snapshot";
import { readStepTimes } from "@/server/kernel/read-models/read-step-times";
import { streamFrames } from "@/server/kernel/read-models/stream-frames";
import { procedure, router } from "./trpc";

export const graphRouter = router({
  /** Its frames are packed (server/contract/lean-frames.ts). */
  snapshot: procedure
    .input(
      z.object({
        project_id: Id,
        root_turn_id: z.union([Id, z.literal("all")]).optional(),
        agent_turn_id: Id.optional(),
        limit: z.int().min(1).max(INT_MAX).optional(),
      }),
    )
    .query(({ ctx, input }) => readLeanSnapshot(ctx.kernel, input)),

  /** One run as it was at a moment. */
  asOf: procedure
    .input(AsOfQuery.extend({ project_id: Id, root_turn_id: Id }))
    .query(({ ctx, input }) => readAsOf(ctx.kernel, input)),

  /** All moments of one run, where they are few enough to be sent at once. */
  history: procedure
    .input(z.object({ project_id: Id, root_turn_id: Id }))
    .query(({ ctx, input }) => readRunHistory(ctx.kernel, input)),

  /** When one run was at work. */
  work: procedure
    .input(z.object({ project_id: Id, root_turn_id: Id }))
    .query(({ ctx, input }) => readRunWork(ctx.kernel, input)),

  /** The spans of these turns' steps. A screen draws only the turns in view. */
  steps: procedure
    .input(z.object({ project_id: Id, agent_turn_ids: z.array(Id).max(STEP_TURNS_MAX) }))
    .query(({ ctx, input }) => readStepTimes(ctx.kernel, input)),

  /** Yields arrays of frames; the tracked id is the cursor after the last of them. */
  stream: procedure
    .input(z.object({ project_id: Id, after: z.string(), lastEventId: z.string().nullish() }))
    .subscription(async function* ({ ctx, input, signal }) {
      const after = input.lastEventId ?? input.after;
      const live = streamFrames(ctx.kernel, {
        project_id: input.project_id,
        after,
        signal: signal ?? new AbortController().signal,
      });
      for await (const batch of live)
        for (const frames of inPieces(batch)) {
          const last = frames.at(-1);
          if (last)
            yield tracked(
              last.cursor,
              frames.map((f) => f.frame),
            );
        }
    }),
});

/**
 * Frames sent as one message. Each stage between here and the socket holds one message for a stalled reader: with a hundred
 * frames in each, thirty such readers held fifty megabytes.
 */
const PIECE_CHARS_MAX = 32_768;

function* inPieces(batch: TrackedFrame[]): Generator<TrackedFrame[]> {
  let piece: TrackedFrame[] = [];
  let chars = 0;
  for (const one of batch) {
    piece.push(one);
    chars += JSON.stringify(one.frame).length;
    if (chars < PIECE_CHARS_MAX) continue;
    yield piece;
    piece = [];
    chars = 0;
  }
  if (piece.length > 0) yield piece;
}
