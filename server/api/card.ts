// Cards for the browser: the list, one card whole, who saw it, and deleting its content.
import * as z from "zod";
import { Role } from "@/server/contract/card";
import { Reason } from "@/server/contract/deletion";
import { Id } from "@/server/contract/ids";
import { PageQuery } from "@/server/contract/page";
import { SawText } from "@/server/contract/saw-text";
import { sightingsIncludes } from "@/server/contract/sightings";
import { deleteCard } from "@/server/kernel/artifacts/delete-card";
import { readCardFacets } from "@/server/kernel/cardbox/read-card-facets";
import { eraseCard } from "@/server/kernel/deletion/erase-card";
import { readCardHolders } from "@/server/kernel/deletion/read-card-holders";
import { listCardLines } from "@/server/kernel/read-models/list-card-lines";
import { readCardSheet } from "@/server/kernel/read-models/read-card-sheet";
import { readCardSightings } from "@/server/kernel/read-models/read-card-sightings";
import { readSawText } from "@/server/kernel/read-models/read-saw-text";
import { withUnit } from "@/server/kernel/unit";
import { procedure, router } from "./trpc";

const One = z.strictObject({ project_id: Id, card_id: Id });

export const cardRouter = router({
  list: procedure
    .input(
      PageQuery.extend({
        project_id: Id,
        q: z.string().max(400).optional(),
        type: z.string().max(64).optional(),
        role: Role.optional(),
        author_id: z.string().max(256).optional(),
        agent_turn_id: Id.optional(),
      }),
    )
    .query(({ ctx, input }) => listCardLines(ctx.kernel, input)),
  facets: procedure
    .input(z.strictObject({ project_id: Id }))
    .query(({ ctx, input }) => readCardFacets(ctx.kernel, input)),
  get: procedure.input(One).query(({ ctx, input }) => readCardSheet(ctx.kernel, input)),
  sightings: procedure
    .input(One.extend({ include: z.array(z.enum(sightingsIncludes)).optional() }))
    .query(({ ctx, input }) => readCardSightings(ctx.kernel, input)),
  /** Who saw a text in a run. */
  saw_text: procedure
    .input(z.strictObject({ project_id: Id, root_turn_id: Id, text: SawText }))
    .query(({ ctx, input }) => readSawText(ctx.kernel, input)),
  /** What has it, before it is hidden or erased. */
  holders: procedure.input(One).query(({ ctx, input }) => readCardHolders(ctx.kernel, input)),
  erase: procedure
    .input(One.extend({ reason: Reason }))
    .mutation(({ ctx, input }) => eraseCard(ctx.kernel, { ...input, by: `human_${ctx.user}` })),
  remove: procedure.input(One).mutation(async ({ ctx, input }) => {
    await withUnit(ctx.kernel, (unit) => deleteCard(unit, { ...input, by: `human_${ctx.user}` }));
  }),
});
