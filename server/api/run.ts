// Runs for the browser: the list, and one as a transcript.
import * as z from "zod";
import { Reason } from "@/server/contract/deletion";
import { Id } from "@/server/contract/ids";
import { RunsQuery } from "@/server/contract/run-list";
import { TranscriptQuery } from "@/server/contract/transcript";
import { deleteRun } from "@/server/kernel/deletion/delete-run";
import { readRunHolds } from "@/server/kernel/deletion/read-run-holds";
import { readTranscript } from "@/server/kernel/read-models/read-transcript";
import { readTranscriptHead } from "@/server/kernel/read-models/read-transcript-head";
import { listRuns } from "@/server/kernel/search/list-runs";
import { procedure, router } from "./trpc";

const ofRun = { project_id: Id, root_turn_id: Id };

export const runRouter = router({
  /** What deleting it would leave. */
  holds: procedure.input(z.strictObject(ofRun)).query(({ ctx, input }) => readRunHolds(ctx.kernel, input)),
  remove: procedure
    .input(z.strictObject({ ...ofRun, reason: Reason }))
    .mutation(({ ctx, input }) => deleteRun(ctx.kernel, { ...input, by: `human_${ctx.user}` })),
  transcript: procedure
    .input(TranscriptQuery.extend({ ...ofRun, direction: z.literal("forward").optional() }))
    .query(({ ctx, input: { direction: _, ...asked } }) => readTranscript(ctx.kernel, asked)),
  transcript_head: procedure.input(z.object(ofRun)).query(({ ctx, input }) => readTranscriptHead(ctx.kernel, input)),
  list: procedure
    .input(RunsQuery.extend({ project_id: Id, direction: z.literal("forward").optional() }))
    .query(({ ctx, input: { direction: _, ...asked } }) => listRuns(ctx.kernel, asked)),
});
