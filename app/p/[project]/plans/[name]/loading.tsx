import { PlanSkeleton } from "@/components/plan/plan-screen";

export default function Loading() {
  return <PlanSkeleton />;
}
