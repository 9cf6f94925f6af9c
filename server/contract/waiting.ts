// A turn that waits: tools it called that answer later, and what comes back of them (docs/design/kernel.md 7, docs/workers.md).
import * as z from "zod";
import { INT_MAX } from "./bounds";
import type { Card } from "./card";
import { Id } from "./ids";

const reportStatuses = ["success", "failed", "canceled", "timeout", "partial"] as const;

/** What a tool service reports of a call. `running` = still at it: the deadline moves, nothing else does. */
export const ReportInput = z.strictObject({
  status: z.enum([...reportStatuses, "running"]),
  result: z.json().optional(),
  error: z
    .object({ code: z.string().min(1).max(64), message: z.string() })
    .loose()
    .optional(),
  /** Overrides what the tool declares; `result.__cg_control.after_execution` overrides this. */
  after_execution: z.enum(["suspend", "terminate"]).optional(),
});
export type ReportInput = z.infer<typeof ReportInput>;

/** `late`: nobody waits for the call any more; it is applied to nothing. */
export type ReportResult = { card_id?: string; status: "received" | "running" | "late" };

export const ToolCallInput = z.strictObject({
  turn_epoch: z.int().min(0).max(INT_MAX),
  step_id: Id,
  tool_name: z.string().min(1).max(64),
  arguments: z.json(),
  /** The worker's own id of the call: the same one again is the same call. */
  client_call_id: z.string().min(1).max(256),
});
export type ToolCallInput = z.infer<typeof ToolCallInput>;

/** A call that was carried out at once, or one that the turn has to wait for. */
export type ToolCallResult =
  | {
      tool_call_id: string;
      mode: "inline";
      result: unknown;
      status: "success" | "failed";
      card_id: string;
      /** Of submit_result: the turn has ended with it. */
      deliverable_card_id?: string;
    }
  | { tool_call_id: string; mode: "suspend"; deadline?: string; batch_id?: string };

export type AppliedResult = { tool_call_id: string; card: Card; after_execution: "suspend" | "terminate" };

/** `running` = every result had come already, and the turn goes on under the same lease. */
export type SuspendResult = {
  status: "suspended" | "running";
  deadline?: string;
  results: AppliedResult[];
  /** Calls still waited for. */
  waiting: string[];
};

/**
 * `running` = the last result came: the turn goes on under `turn_epoch`, which is new, and is the asker's.
 * `suspended` = something was applied and others are still waited for. `ignored` = the row meant nothing any more and is
 * consumed. `deferred` = it came too early and comes round again.
 */
export type ResumeResult = {
  status: "running" | "suspended" | "ignored" | "deferred";
  turn_epoch: number;
  results: AppliedResult[];
  waiting: string[];
  reason?: string;
};
