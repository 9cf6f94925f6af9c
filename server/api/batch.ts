// Batches for the browser: the list, a board, branches that a frame named, what all branches share, stop and retry.
import * as z from "zod";
import { batchStatuses } from "@/server/contract/batch";
import { Id } from "@/server/contract/ids";
import { PageQuery } from "@/server/contract/page";
import { cancelBatch } from "@/server/kernel/batch/cancel-batch";
import { retryBranch } from "@/server/kernel/batch/retry-branch";
import { listBatches } from "@/server/kernel/read-models/list-batches";
import { readBatchSheet } from "@/server/kernel/read-models/read-batch-sheet";
import { readSharedStart } from "@/server/kernel/read-models/read-shared-start";
import { procedure, router } from "./trpc";

// The limit of its column: a larger number would fail in the database, with its own error.
const TaskIndex = z.int32().min(0);
const One = z.strictObject({ project_id: Id, batch_id: Id });

export const batchRouter = router({
  list: procedure
    .input(PageQuery.extend({ project_id: Id, root_turn_id: Id.optional(), status: z.enum(batchStatuses).optional() }))
    .query(({ ctx, input }) => listBatches(ctx.kernel, input)),
  get: procedure.input(One).query(({ ctx, input }) => readBatchSheet(ctx.kernel, input)),
  part: procedure
    .input(One.extend({ task_indexes: z.array(TaskIndex).max(1000) }))
    .query(({ ctx, input }) => readBatchSheet(ctx.kernel, input)),
  /** False if it had already ended. */
  stop: procedure
    .input(One.extend({ reason: z.string().trim().max(500).optional() }))
    .mutation(({ ctx, input }) => cancelBatch(ctx.kernel, { ...input, by: ctx.user })),
  retry: procedure
    .input(One.extend({ task_index: TaskIndex }))
    .mutation(({ ctx, input }) => retryBranch(ctx.kernel, { ...input, by: ctx.user })),
  shared: procedure.input(One).query(({ ctx, input }) => readSharedStart(ctx.kernel, input)),
});
