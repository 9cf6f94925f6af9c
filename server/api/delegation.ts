// Launches by a person: the dry run and the launch itself.
import * as z from "zod";
import { LaunchInput } from "@/server/contract/delegation";
import { Id } from "@/server/contract/ids";
import { launch } from "@/server/kernel/launch/launch";
import { previewLaunch } from "@/server/kernel/launch/preview-launch";
import { readOffers } from "@/server/kernel/tools/read-offers";
import { previewLines } from "./preview-lines";
import { procedure, router } from "./trpc";

// Who launches is the session's to say, not the form's.
const Launch = z.strictObject({ project_id: Id, ...LaunchInput.omit({ user: true }).shape });

export const delegationRouter = router({
  launch: procedure.input(Launch).mutation(({ ctx, input }) => launch(ctx.kernel, { ...input, user: ctx.user })),

  /** Writes nothing, and yet a mutation: an instruction of 1 MiB does not fit the address of a query. */
  preview: procedure
    .input(Launch)
    .mutation(async ({ ctx, input }) =>
      previewLines(await previewLaunch(ctx.kernel, { ...input, user: ctx.user, offer: readOffers })),
    ),

  /** The same with every text, for reading it as the model would. */
  transcript: procedure
    .input(Launch)
    .mutation(({ ctx, input }) => previewLaunch(ctx.kernel, { ...input, user: ctx.user, offer: readOffers })),
});
