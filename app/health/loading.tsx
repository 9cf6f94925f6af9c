import { HealthSkeleton } from "@/components/health/health-skeleton";

export default function Loading() {
  return <HealthSkeleton />;
}
