// The shape of a board that is on its way.
import { Skeleton, SkeletonRows } from "@/components/ui/skeleton";

export function BatchSkeleton() {
  return (
    <div role="status" aria-label="Loading the batch">
      <div className="flex h-[66px] items-center gap-3 border-line border-b px-4">
        <Skeleton className="h-[26px] w-9" />
        <div>
          <Skeleton className="mb-2 h-3.5 w-56" />
          <Skeleton className="h-2.5 w-72" />
        </div>
      </div>
      <div className="pt-[34px]">
        <SkeletonRows count={5} rowHeight={103} label="Loading the tasks" />
      </div>
    </div>
  );
}
