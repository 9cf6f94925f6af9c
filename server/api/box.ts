// Boxes for the browser: a sheet, its weights, its lines, the list, and new boxes of cards that exist.
import * as z from "zod";
import { INT_MAX } from "@/server/contract/bounds";
import { boxKinds } from "@/server/contract/box";
import { Id } from "@/server/contract/ids";
import { PageQuery } from "@/server/contract/page";
import { findInBox } from "@/server/kernel/cardbox/find-in-box";
import { forkBox } from "@/server/kernel/cardbox/fork-box";
import { gatherBox } from "@/server/kernel/cardbox/gather-box";
import { readBoxLines } from "@/server/kernel/cardbox/read-box-lines";
import { readBoxWeights } from "@/server/kernel/cardbox/read-box-weights";
import { listBoxHits } from "@/server/kernel/read-models/list-box-hits";
import { readBoxAsSent } from "@/server/kernel/read-models/read-box-as-sent";
import { readBoxLineage } from "@/server/kernel/read-models/read-box-lineage";
import { readBoxSheet } from "@/server/kernel/read-models/read-box-sheet";
import { readProject } from "@/server/kernel/roster/read-project";
import { withUnit } from "@/server/kernel/unit";
import { procedure, router } from "./trpc";

const One = z.strictObject({ project_id: Id, box_id: Id });
const position = z.int().min(0).max(10_000_000);

export const boxRouter = router({
  list: procedure
    .input(
      PageQuery.extend({
        project_id: Id,
        kind: z.enum(boxKinds).optional(),
        without: z.array(z.enum(boxKinds)).optional(),
        owner_agent_id: Id.optional(),
      }),
    )
    .query(({ ctx, input }) => listBoxHits(ctx.kernel, input)),
  get: procedure.input(One).query(({ ctx, input }) => readBoxSheet(ctx.kernel, input)),
  weights: procedure.input(One.extend({ from: position })).query(({ ctx, input }) => readBoxWeights(ctx.kernel, input)),
  lines: procedure
    .input(One.extend({ positions: z.array(position).max(100) }))
    .query(({ ctx, input }) => readBoxLines(ctx.kernel, input)),
  as_sent: procedure.input(One).query(({ ctx, input }) => readBoxAsSent(ctx.kernel, input)),
  lineage: procedure.input(One).query(({ ctx, input }) => readBoxLineage(ctx.kernel, input)),
  /** A new box of chosen cards, in this order. */
  gather: procedure
    .input(z.strictObject({ project_id: Id, card_ids: z.array(Id).min(1).max(10_000) }))
    .mutation(async ({ ctx, input }) => {
      await readProject(ctx.kernel, input.project_id);
      return withUnit(ctx.kernel, (unit) => gatherBox(unit, input));
    }),
  /** A new box that shares the first `upto` cards, or all of them. */
  fork: procedure
    .input(One.extend({ upto: z.int().min(0).max(INT_MAX).optional() }))
    .mutation(({ ctx, input }) => withUnit(ctx.kernel, (unit) => forkBox(unit, input))),
  find: procedure.input(One.extend({ card_id: Id })).query(({ ctx, input }) => findInBox(ctx.kernel, input)),
});
