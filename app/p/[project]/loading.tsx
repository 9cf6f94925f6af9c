import { YardSkeleton } from "@/components/graph/yard-skeleton";

export default function Loading() {
  return <YardSkeleton />;
}
