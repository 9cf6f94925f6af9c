// The state of a turn, in a word, wherever one is named.
import type { TurnStatus } from "@/server/contract/turn";

export const statusWords: Record<TurnStatus, string> = {
  queued: "Queued",
  dispatched: "Dispatched",
  running: "Running",
  suspended: "Waiting",
  success: "Success",
  partial: "Partial",
  failed: "Failed",
  timeout: "Timed out",
  canceled: "Canceled",
};

/** Within a sentence or a line. */
export const statusWord = (status: TurnStatus): string => statusWords[status].toLowerCase();
