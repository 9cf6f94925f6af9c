// The debugger for the browser: questions about stored facts.
import { BlameBody } from "@/server/contract/blame";
import { Id } from "@/server/contract/ids";
import { blame } from "@/server/kernel/debugger/blame";
import { procedure, router } from "./trpc";

export const debuggerRouter = router({
  blame: procedure.input(BlameBody.safeExtend({ project_id: Id })).query(({ ctx, input }) => blame(ctx.kernel, input)),
});
