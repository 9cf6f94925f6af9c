import { CompareSkeleton } from "@/components/run-compare/compare-skeleton";

export default function Loading() {
  return <CompareSkeleton />;
}
