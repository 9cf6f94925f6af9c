// The shape of a pack that is on its way: head, tabs, and the columns where they will stand.
import { Skeleton, SkeletonRows } from "@/components/ui/skeleton";

export function PackSkeleton() {
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex h-[66px] flex-none items-center gap-3 px-4">
        <Skeleton className="h-6 w-20" />
        <Skeleton className="h-3 w-64" />
      </div>
      <div className="h-[38px] flex-none border-line border-b" />
      <SkeletonRows count={14} rowHeight={32} label="Loading the context pack" />
    </div>
  );
}
