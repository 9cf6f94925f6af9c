// A turn or a batch that has ended and was not looked at yet, as the sweep takes it.
import type { AlarmLimits } from "@/server/contract/alarm";

export type DueRow = {
  project_id: string;
  due_id: number;
  subject_kind: "turn" | "batch";
  subject_id: string;
  /** What the project has set itself. */
  alarm_limits: Partial<AlarmLimits>;
  /** What its requests and its caller hold together, or the contexts of its branches, in cards; for the size of a set. */
  weight: number;
};
