// The shape of two runs that are being compared: head, totals, picture, table.
import { Skeleton, SkeletonRows } from "@/components/ui/skeleton";
import "./run-compare.css";

export function CompareSkeleton() {
  return (
    <div className="compare-screen">
      <div className="compare-head">
        <Skeleton className="h-7 w-48" />
        <Skeleton className="h-7 w-48" />
      </div>
      <div className="compare-figures">
        <Skeleton className="h-8 w-96 max-w-full" />
      </div>
      <SkeletonRows count={14} rowHeight={32} label="Comparing the runs" />
    </div>
  );
}
