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
     * Called once the result has been sent. `draft`: its card. `posted`: the card as it was stored; undefined if the result was not posted.
     * `isLast`: the batch has nothing to send or to tell after it.
     */
    go: (result: SentResult, isLast: boolean) => Promise<unknown>;
  };
};
