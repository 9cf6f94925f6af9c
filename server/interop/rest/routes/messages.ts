// Claimed messages that are not turns: done with, or put off; and the results that tool services report.
import * as z from "zod";
import { ReportInput } from "@/server/contract/waiting";
import { DeferBody } from "@/server/contract/work";
import { ackRow } from "@/server/kernel/inbox/ack-row";
import { reportResult } from "@/server/kernel/inbox/report-result";
import { deferRow } from "@/server/kernel/turns/defer-row";
import { id, route } from "../route";

export const messageRoutes = [
  route({
    method: "POST",
    path: "/projects/{project_id}/inbox/{inbox_id}:ack",
    summary: "A claimed message is done with; one that a turn waits for is 409, since its resume consumes it",
    body: z.strictObject({}),
    answer: "{inbox_id, status}",
    call: ({ kernel, params }) =>
      ackRow(kernel, { project_id: id(params, "project_id"), inbox_id: id(params, "inbox_id") }),
  }),
  route({
    method: "POST",
    path: "/projects/{project_id}/inbox/{inbox_id}:defer",
    summary: "A claimed message cannot be applied yet; after three times its turn fails `resume_retry_exhausted`",
    body: DeferBody,
    answer: "{inbox_id, status, retry_count, next_retry_at}",
    call: ({ kernel, params, body }) =>
      deferRow(kernel, { project_id: id(params, "project_id"), inbox_id: id(params, "inbox_id"), ...body }),
  }),
  route({
    method: "POST",
    path: "/projects/{project_id}/tool-calls/{tool_call_id}:report",
    summary: "What became of a tool call; `running` moves its deadline, and the first result counts",
    body: ReportInput,
    answer: "{card_id, status}",
    call: ({ kernel, params, body }) =>
      reportResult(kernel, {
        project_id: id(params, "project_id"),
        tool_call_id: id(params, "tool_call_id"),
        ...body,
      }),
  }),
];
