import { BatchSkeleton } from "@/components/batch/batch-skeleton";

export default function Loading() {
  return <BatchSkeleton />;
}
