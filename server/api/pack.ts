// Packing a box by hand: the dry run, its texts, and the box itself.
import * as z from "zod";
import { HandPack, type HandPackLines } from "@/server/contract/hand-pack";
import { Id } from "@/server/contract/ids";
import { packByHand, previewPack } from "@/server/kernel/launch/pack-by-hand";
import { readOffers } from "@/server/kernel/tools/read-offers";
import { packLines } from "./preview-lines";
import { procedure, router } from "./trpc";

const Pack = z.strictObject({ project_id: Id, ...HandPack.shape });

export const packRouter = router({
  /** A mutation although it writes nothing: the arguments may not fit into a query's URL. */
  preview: procedure.input(Pack).mutation(async ({ ctx, input }): Promise<HandPackLines> => {
    const preview = await previewPack(ctx.kernel, { ...input, user: ctx.user, offer: readOffers });
    return preview.ok ? { ok: true, ...packLines(preview.pack) } : preview;
  }),
  make: procedure.input(Pack).mutation(async ({ ctx, input }) => {
    const { context_box_id, receipt } = await packByHand(ctx.kernel, { ...input, user: ctx.user });
    return { box_id: context_box_id, receipt };
  }),
});
