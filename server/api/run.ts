// Runs for the browser: the list.
import * as z from "zod";
import { Id } from "@/server/contract/ids";
import { RunsQuery } from "@/server/contract/run-list";
import { listRuns } from "@/server/kernel/search/list-runs";
import { procedure, router } from "./trpc";

export const runRouter = router({
  list: procedure
    .input(RunsQuery.extend({ project_id: Id, direction: z.literal("forward").optional() }))
    .query(({ ctx, input: { direction: _, ...asked } }) => listRuns(ctx.kernel, asked)),
});
