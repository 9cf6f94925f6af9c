// Runs for the browser: the list, one as a transcript, and one run again.
import * as z from "zod";
import { Reason } from "@/server/contract/deletion";
import { Id } from "@/server/contract/ids";
import { FlowCardsQuery } from "@/server/contract/run-flow";
import { RunsQuery } from "@/server/contract/run-list";
import { TranscriptQuery } from "@/server/contract/transcript";
import { readFlowCards } from "@/server/kernel/debugger/read-flow-cards";
import { readRunAgents } from "@/server/kernel/debugger/read-run-agents";
import { readRunFlow } from "@/server/kernel/debugger/read-run-flow";
import { deleteRun } from "@/server/kernel/deletion/delete-run";
import { readRunHolds } from "@/server/kernel/deletion/read-run-holds";
import { rerunRun } from "@/server/kernel/launch/rerun-run";
import { readTranscript } from "@/server/kernel/read-models/read-transcript";
import { readTranscriptHead } from "@/server/kernel/read-models/read-transcript-head";
import { readRunDeletion } from "@/server/kernel/roster/no-run";
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
  /** Who deleted it and why; null = nobody has. */
  deletion: procedure.input(z.strictObject(ofRun)).query(({ ctx, input }) => readRunDeletion(ctx.kernel, input)),
  rerun: procedure
    .input(z.strictObject(ofRun))
    .mutation(({ ctx, input }) => rerunRun(ctx.kernel, { ...input, user: ctx.user })),
  /** Who passed how much to whom, and the cards of one edge: the lens "Context flow". */
  flow: procedure.input(z.strictObject(ofRun)).query(({ ctx, input }) => readRunFlow(ctx.kernel, input)),
  flow_cards: procedure.input(FlowCardsQuery.extend(ofRun)).query(({ ctx, input }) => readFlowCards(ctx.kernel, input)),
  /** The lens "Agents". */
  agents: procedure.input(z.strictObject(ofRun)).query(({ ctx, input }) => readRunAgents(ctx.kernel, input)),
  list: procedure
    .input(RunsQuery.extend({ project_id: Id, direction: z.literal("forward").optional() }))
    .query(({ ctx, input: { direction: _, ...asked } }) => listRuns(ctx.kernel, asked)),
});
