// The shape of a hand-over that is on its way: head, filters, the heads of the columns, rows.
import { Skeleton, SkeletonRows } from "@/components/ui/skeleton";
import "./handover.css";

export function HandoverSkeleton() {
  return (
    <div className="handover-screen">
      <div className="handover-head">
        <Skeleton className="h-7 w-32" />
        <Skeleton className="h-3 w-64" />
      </div>
      <div className="handover-bar" />
      <SkeletonRows count={14} rowHeight={32} label="Loading the hand-over" />
    </div>
  );
}
