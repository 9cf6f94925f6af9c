// How a batch ends, as whoever ends it says.
import type { BatchStatus, ClosedBy } from "@/server/contract/batch";

export type BatchEnd = {
  status: Exclude<BatchStatus, "running">;
  cause: "all" | "fail_fast" | "deadline" | "canceled" | "parent_ended" | ClosedBy;
  /** Shown to people on the branches that are stopped. */
  reason: string;
  /** Of a batch with a policy; absent = as they are written. */
  arrivals?: readonly number[];
  /** Of the message with its result, whose turn goes on in the same transaction. Absent = a worker claims it. */
  inbox_id?: string;
};
