// Launches by a person: the dry run and the launch itself.
import * as z from "zod";
import { LaunchInput } from "@/server/contract/delegation";
import { Id } from "@/server/contract/ids";
import { RunLimitsPatch } from "@/server/contract/run-limits";
import { launch } from "@/server/kernel/launch/launch";
import { previewLaunch } from "@/server/kernel/launch/preview-launch";
import { listLiveRuns } from "@/server/kernel/read-models/list-live-runs";
import { readOffers } from "@/server/kernel/tools/read-offers";
import { setRunLimits } from "@/server/kernel/turns/set-run-limits";
import { previewLines } from "./preview-lines";
import { procedure, router } from "./trpc";

// The session says who launches, not the form.
const Launch = z.strictObject({ project_id: Id, ...LaunchInput.omit({ user: true }).shape });
const One = Launch.extend({ tool: LaunchInput.shape.tool.extract(["delegate_async", "launch_principal"]) });
const Several = Launch.extend({ tool: LaunchInput.shape.tool.extract(["fork_join", "ask_expert"]) });

export const delegationRouter = router({
  launch: procedure.input(Launch).mutation(({ ctx, input }) => launch(ctx.kernel, { ...input, user: ctx.user })),

  /** What a launch can be added to. */
  liveRuns: procedure
    .input(z.strictObject({ project_id: Id }))
    .query(({ ctx, input }) => listLiveRuns(ctx.kernel, input)),

  /** Of a run that is there: raised, lifted (null) or left as they are. */
  limits: procedure
    .input(z.strictObject({ project_id: Id, root_turn_id: Id, limits: RunLimitsPatch }))
    .mutation(({ ctx, input }) => setRunLimits(ctx.kernel, input)),

  /** A mutation although it writes nothing: an instruction of 1 MiB does not fit into a query's URL. */
  preview: procedure
    .input(One)
    .mutation(async ({ ctx, input }) =>
      previewLines(await previewLaunch(ctx.kernel, { ...input, user: ctx.user, offer: readOffers })),
    ),

  /** The same with every text, to read it as the model would. */
  transcript: procedure
    .input(One)
    .mutation(({ ctx, input }) => previewLaunch(ctx.kernel, { ...input, user: ctx.user, offer: readOffers })),

  /** Each task of a fork, without its texts. */
  previewFork: procedure
    .input(Several)
    .mutation(({ ctx, input }) => previewLaunch(ctx.kernel, { ...input, user: ctx.user, offer: readOffers })),
});
