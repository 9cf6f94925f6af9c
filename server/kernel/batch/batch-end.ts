// How a batch ends, as whoever ends it says.
import type { BatchStatus, ClosedBy } from "@/server/contract/batch";
import type { Card } from "@/server/contract/card";

export type SentResult = { draft: Card; posted: Promise<Card | undefined> };

export type BatchEnd = {
  status: Exclude<BatchStatus, "running">;
  cause: "all" | "fail_fast" | "deadline" | "canceled" | "parent_ended" | ClosedBy;
  /** Shown to people on the branches that are stopped. */
  reason: string;
  /** Of a batch with a policy; absent = as they are written. */
  arrivals?: readonly number[];
  /** The turn that waits for it goes on in the same transaction. Absent = a worker claims its result. */
  goingOn?: {
    /** Of the message with the result. */
    inbox_id: string;
    worker_id: string;
    /**
     * Called once the result is on its way to the database. `draft`: its card; `posted`: as it was stored, undefined if it was not.
     * `isLast`: the batch has nothing to send or to tell after it.
     */
    go: (result: SentResult, isLast: boolean) => Promise<unknown>;
  };
};
