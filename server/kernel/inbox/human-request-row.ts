// A row of state.human_requests, and what the live view and the pages see of it.

import { KernelError } from "@/server/contract/errors";
import type { HumanRequestFrame } from "@/server/contract/frame";
import type { HumanRequest } from "@/server/contract/human-request";

type Given = Omit<HumanRequest, "is_edited" | "tool_call_card_id">;

/** Columns as they are; nulls as nulls; times as ISO text. */
export type HumanRequestRow = {
  [K in keyof Given]-?: undefined extends Given[K] ? Exclude<Given[K], undefined> | null : Given[K];
} & { project_id: string; tool_call_card_id: string | null };

/** All of state.human_requests. */
export const REQUEST_COLUMNS = [
  "project_id",
  "request_id",
  "kind",
  "agent_id",
  "agent_turn_id",
  "root_turn_id",
  "turn_epoch",
  "step_id",
  "tool_call_id",
  "tool_call_card_id",
  "tool_name",
  "question",
  "choices",
  "arguments",
  "parameters",
  "status",
  "decided_by",
  "answer",
  "edited_arguments",
  "reason",
  "decision_card_id",
  "deadline_at",
  "rev",
  "created_at",
  "decided_at",
] as const satisfies readonly (keyof HumanRequestRow)[];

const TITLE_MAX = 160;
const TIMES = new Set(["deadline_at", "created_at", "decided_at"]);
const NOT_SHOWN = new Set(["project_id", "tool_call_card_id"]);

export function humanRequestFrame(row: HumanRequestRow): HumanRequestFrame {
  const { kind, request_id, question, choices, arguments: _args, parameters, answer, ...rest } = humanRequest(row);
  const title = question?.question.split("\n")[0] ?? row.tool_name;
  const { edited_arguments: _edited, ...shown } = rest;
  return { ...shown, kind: "human_request", id: request_id, request_kind: kind, title: title.slice(0, TITLE_MAX) };
}

export function humanRequest(row: HumanRequestRow): HumanRequest {
  const request: Record<string, unknown> = { is_edited: row.edited_arguments !== null };
  for (const key of REQUEST_COLUMNS) {
    const value = row[key];
    // A list leaves out what is long.
    if (value === null || value === undefined || NOT_SHOWN.has(key)) continue;
    request[key] = TIMES.has(key) ? new Date(value as string).toISOString() : value;
  }
  return request as unknown as HumanRequest;
}

/** The same for an unknown request and one of another project. */
export const noRequest = (request_id: string): KernelError =>
  new KernelError("not_found", `request ${request_id} not found`, { request_id });
