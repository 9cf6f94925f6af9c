// Cards for the browser: one of them whole, who saw it, and the list of all of them.
import * as z from "zod";
import { Id } from "@/server/contract/ids";
import { readCardSheet } from "@/server/kernel/graph/read-card-sheet";
import { readCardSightings } from "@/server/kernel/graph/read-card-sightings";
import { procedure, router } from "./trpc";

const One = z.strictObject({ project_id: Id, card_id: Id });

export const cardRouter = router({
  get: procedure.input(One).query(({ ctx, input }) => readCardSheet(ctx.kernel, input)),
  sightings: procedure.input(One).query(({ ctx, input }) => readCardSightings(ctx.kernel, input)),
});
