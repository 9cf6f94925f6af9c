// Claimed messages that are not turns: mark as done or put off. And the results that tool services report.
import * as z from "zod";
import { DeferResult, ReportResult } from "@/server/contract/answers/inbox";
import { ReportInput } from "@/server/contract/waiting";
import { DeferBody } from "@/server/contract/work";
import { ackRow } from "@/server/kernel/inbox/ack-row";
import { reportResult } from "@/server/kernel/inbox/report-result";
import { deferRow } from "@/server/kernel/turns/defer-row";
import { id, route } from "../route";

export const messageRoutes = [
  route({
    operationId: "ackMessage",
    method: "POST",
    path: "/projects/{project_id}/inbox/{inbox_id}:ack",
    summary: "Mark a claimed message as done. 409 if a turn waits for it, since its resume consumes it",
    body: z.strictObject({}),
    answer: z.strictObject({ inbox_id: z.string(), status: z.literal("consumed") }),
    call: ({ kernel, params }) =>
      ackRow(kernel, { project_id: id(params, "project_id"), inbox_id: id(params, "inbox_id") }),
  }),
  route({
    operationId: "deferMessage",
    method: "POST",
    path: "/projects/{project_id}/inbox/{inbox_id}:defer",
    summary:
      "Put off a claimed message that cannot be applied yet. After three times its turn fails with `resume_retry_exhausted`",
    body: DeferBody,
    answer: DeferResult,
    call: ({ kernel, params, body }) =>
      deferRow(kernel, { project_id: id(params, "project_id"), inbox_id: id(params, "inbox_id"), ...body }),
  }),
  route({
    operationId: "reportToolCall",
    method: "POST",
    path: "/projects/{project_id}/tool-calls/{tool_call_id}:report",
    summary: "Report the result of a tool call. `running` moves its deadline; the first result counts",
    body: ReportInput,
    answer: ReportResult,
    call: ({ kernel, params, body }) =>
      reportResult(kernel, {
        project_id: id(params, "project_id"),
        tool_call_id: id(params, "tool_call_id"),
        ...body,
      }),
  }),
];
