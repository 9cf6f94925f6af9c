// The lamp of a step of a plan run, in the yard and in the composer.
import type { AspectStatus } from "@/components/ui/sign-words";
import type { PlanNodeStatus } from "@/server/contract/plan/plan-run";

export const stepAspects: Record<PlanNodeStatus, AspectStatus> = {
  waiting: "queued",
  held: "suspended",
  running: "running",
  skipped: "canceled",
  replayed: "success",
  success: "success",
  partial: "partial",
  failed: "failed",
  timeout: "timeout",
  canceled: "canceled",
};
