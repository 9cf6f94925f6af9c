// Runs for the browser: the list, one as a transcript, and one run again.
import * as z from "zod";
import { Id } from "@/server/contract/ids";
import { RunsQuery } from "@/server/contract/run-list";
import { TranscriptQuery } from "@/server/contract/transcript";
import { rerunRun } from "@/server/kernel/launch/rerun-run";
import { readTranscript } from "@/server/kernel/read-models/read-transcript";
import { readTranscriptHead } from "@/server/kernel/read-models/read-transcript-head";
import { listRuns } from "@/server/kernel/search/list-runs";
import { procedure, router } from "./trpc";

const ofRun = { project_id: Id, root_turn_id: Id };

export const runRouter = router({
  transcript: procedure
    .input(TranscriptQuery.extend({ ...ofRun, direction: z.literal("forward").optional() }))
    .query(({ ctx, input: { direction: _, ...asked } }) => readTranscript(ctx.kernel, asked)),
  transcript_head: procedure.input(z.object(ofRun)).query(({ ctx, input }) => readTranscriptHead(ctx.kernel, input)),
  rerun: procedure
    .input(z.strictObject(ofRun))
    .mutation(({ ctx, input }) => rerunRun(ctx.kernel, { ...input, user: ctx.user })),
  list: procedure
    .input(RunsQuery.extend({ project_id: Id, direction: z.literal("forward").optional() }))
    .query(({ ctx, input: { direction: _, ...asked } }) => listRuns(ctx.kernel, asked)),
});
