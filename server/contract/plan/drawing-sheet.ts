// What the composer opens: a plan with a person's draft of it, a version to start from, or a draft of no plan.
import type { PlanDraft, PlanRecord, PlanVersion } from "./plan-record";

export type DrawingSheet = {
  /** Null = never published. */
  plan: PlanRecord | null;
  /** The asking person's own. Null = none yet: it is made with the first change. */
  draft: PlanDraft | null;
  /** The one that was asked for, else the one that the draft was made from, else the newest. */
  version: PlanVersion | null;
  /** Others who have a draft of the same plan, by name. */
  others: string[];
};
