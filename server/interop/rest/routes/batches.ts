// Batches: the list, and one with its tasks in task_index order.
import * as z from "zod";
import { BatchRepeats } from "@/server/contract/answers/batch-repeats";
import { BatchDetail, BatchLine } from "@/server/contract/answers/batches";
import { pageAnswer } from "@/server/contract/answers/page";
import { PrefixSheet } from "@/server/contract/answers/prefix";
import { batchStatuses } from "@/server/contract/batch";
import { KernelError } from "@/server/contract/errors";
import { Id } from "@/server/contract/ids";
import { PageQuery } from "@/server/contract/page";
import { RetryBody } from "@/server/contract/work";
import { retryBranch } from "@/server/kernel/batch/retry-branch";
import { readBatchPrefix } from "@/server/kernel/debugger/read-batch-prefix";
import { readBatchRepeats } from "@/server/kernel/debugger/read-batch-repeats";
import { listBatches } from "@/server/kernel/read-models/list-batches";
import { readBatch } from "@/server/kernel/read-models/read-batch";
import { id, route } from "../route";

const BatchesQuery = PageQuery.extend({
  root_turn_id: Id.optional(),
  /** The turn that forked. */
  agent_turn_id: Id.optional(),
  status: z.enum(batchStatuses).optional(),
}).strict();

export const batchRoutes = [
  route({
    operationId: "listBatches",
    method: "GET",
    path: "/projects/{project_id}/batches",
    summary: "List batches, newest first; `agent_turn_id` is the turn that forked",
    query: BatchesQuery,
    answer: pageAnswer(BatchLine),
    call: async ({ kernel, params, query }) => {
      const { live_cursor: _live, ...page } = await listBatches(kernel, {
        project_id: id(params, "project_id"),
        ...query,
      });
      return page;
    },
  }),
  route({
    operationId: "getBatch",
    method: "GET",
    path: "/projects/{project_id}/batches/{batch_id}",
    summary: "Get a batch with its tasks in task_index order",
    answer: BatchDetail,
    call: ({ kernel, params }) =>
      readBatch(kernel, { project_id: id(params, "project_id"), batch_id: id(params, "batch_id") }),
  }),
  route({
    operationId: "getBatchPrefix",
    method: "GET",
    path: "/projects/{project_id}/batches/{batch_id}/prefix",
    summary:
      "Compare the first requests of a fork's branches with the one that began first: what they begin with in common, and what a cache could have served",
    answer: PrefixSheet,
    call: ({ kernel, params }) =>
      readBatchPrefix(kernel, { project_id: id(params, "project_id"), batch_id: id(params, "batch_id") }),
  }),
  route({
    operationId: "getBatchRepeats",
    method: "GET",
    path: "/projects/{project_id}/batches/{batch_id}/repeats",
    summary:
      "Read what a fork's branches were handed over together: what all begin with, what are copies, and what one alone has",
    answer: BatchRepeats,
    call: ({ kernel, params }) =>
      readBatchRepeats(kernel, { project_id: id(params, "project_id"), batch_id: id(params, "batch_id") }),
  }),
  route({
    operationId: "retryTask",
    method: "POST",
    path: "/projects/{project_id}/batches/{batch_id}/tasks/{task_index}:retry",
    summary:
      "Retry a failed, timed out or canceled task while its batch runs: the same agent and context box, a new turn",
    body: RetryBody,
    answer: BatchDetail,
    call: async ({ kernel, params, body }) => {
      const key = { project_id: id(params, "project_id"), batch_id: id(params, "batch_id") };
      const task_index = Number(params.task_index);
      if (!/^\d{1,9}$/.test(params.task_index ?? ""))
        throw new KernelError("not_found", `task_index ${params.task_index} not found; tasks are counted from 0`);
      await retryBranch(kernel, { ...key, task_index, by: `human_${body.user}` });
      return readBatch(kernel, key);
    },
  }),
];
