import { SkeletonRows } from "@/components/ui/skeleton";

export default function Loading() {
  return <SkeletonRows count={12} rowHeight={44} label="Loading the form" />;
}
