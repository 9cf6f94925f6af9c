// One way in which a batch that runs may end.
import type { BatchStatus } from "@/server/contract/batch";

export type Outcome = {
  when: string;
  /** Named by the time instead of by words; the words stand after it. */
  at?: string;
  status: BatchStatus;
  what: string;
};
