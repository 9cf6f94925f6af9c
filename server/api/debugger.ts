// Questions about contexts for the browser: two boxes or two requests compared, and what is worth comparing.
import * as z from "zod";
import { BoxDiffQuery } from "@/server/contract/box-diff/box-diff";
import { Id } from "@/server/contract/ids";
import { diffBoxes } from "@/server/kernel/debugger/diff-boxes";
import { diffSteps } from "@/server/kernel/debugger/diff-steps";
import { readPartners } from "@/server/kernel/debugger/read-partners";
import { procedure, router } from "./trpc";

const Two = BoxDiffQuery.extend({ project_id: Id, of: z.enum(["boxes", "steps"]).default("boxes"), a: Id, b: Id });

export const debuggerRouter = router({
  diff: procedure
    .input(Two)
    .query(({ ctx, input: { of, ...two } }) =>
      of === "boxes" ? diffBoxes(ctx.kernel, two) : diffSteps(ctx.kernel, two),
    ),
  partners: procedure
    .input(z.strictObject({ project_id: Id, box_id: Id }))
    .query(({ ctx, input }) => readPartners(ctx.kernel, input)),
});
