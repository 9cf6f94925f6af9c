// A suspended turn: the tools that answer later, and their results (docs/design/kernel.md 7, docs/workers.md).
import * as z from "zod";
import { INT_MAX } from "./bounds";
import type { Card } from "./card";
import { Id } from "./ids";

const reportStatuses = ["success", "failed", "canceled", "timeout", "partial"] as const;

/** What a tool service reports about a call. `running` = still working: only the deadline moves. */
export const ReportInput = z.strictObject({
  status: z.enum([...reportStatuses, "running"]),
  result: z.json().optional(),
  error: z
    .object({ code: z.string().min(1).max(64), message: z.string() })
    .loose()
    .optional(),
  /** Overrides the tool's setting; `result.__cg_control.after_execution` overrides this. */
  after_execution: z.enum(["suspend", "terminate"]).optional(),
});
export type ReportInput = z.infer<typeof ReportInput>;

/** `late`: nothing waits for the call any more, so it has no effect. */
export type ReportResult = { card_id?: string; status: "received" | "running" | "late" };

export const ToolCallInput = z.strictObject({
  turn_epoch: z.int().min(0).max(INT_MAX),
  step_id: Id,
  tool_name: z.string().min(1).max(64),
  arguments: z.json(),
  /** The worker's own id of the call. The same id again is the same call. */
  client_call_id: z.string().min(1).max(256),
});
export type ToolCallInput = z.infer<typeof ToolCallInput>;

/** A call that ran at once, or one that the turn has to wait for. */
export type ToolCallResult =
  | {
      tool_call_id: string;
      mode: "inline";
      result: unknown;
      status: "success" | "failed";
      card_id: string;
      /** Only from submit_result: the turn has ended with this deliverable. */
      deliverable_card_id?: string;
    }
  | { tool_call_id: string; mode: "suspend"; deadline?: string; batch_id?: string };

export type AppliedResult = { tool_call_id: string; card: Card; after_execution: "suspend" | "terminate" };

/** `running` = every result had already arrived, and the turn continues under the same lease. */
export type SuspendResult = {
  status: "suspended" | "running";
  deadline?: string;
  results: AppliedResult[];
  /** Calls that still have no result. */
  waiting: string[];
};

/**
 * `running` = the last result arrived: the caller now owns the turn under the new `turn_epoch`.
 * `suspended` = a result was applied and others are missing. `ignored` = the row was obsolete and is consumed.
 * `deferred` = it came too early and is delivered again.
 */
export type ResumeResult = {
  status: "running" | "suspended" | "ignored" | "deferred";
  turn_epoch: number;
  results: AppliedResult[];
  waiting: string[];
  reason?: string;
};
