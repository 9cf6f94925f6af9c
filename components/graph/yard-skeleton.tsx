// The shape of the yard while it is on its way: the same columns and heights, so that nothing jumps.
import { Skeleton, SkeletonRows } from "@/components/ui/skeleton";

export function YardSkeleton() {
  return (
    <div className="flex min-h-0 flex-1 sm:grid sm:grid-cols-[minmax(0,1fr)_372px] max-[1180px]:sm:grid-cols-[minmax(0,1fr)_300px]">
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <div className="yard-filter">
          <Skeleton className="h-4 w-40" />
          <span className="flex-1" />
          <Skeleton className="h-4 w-20" />
        </div>
        <div className="yard-canvas dotted-ground" role="status" aria-label="The yard is loading" />
        <div className="yard-timeline max-sm:hidden" />
      </div>
      <div className="border-line border-l bg-panel pt-4 max-sm:hidden">
        <SkeletonRows count={6} rowHeight={28} label="The run is loading" />
      </div>
    </div>
  );
}
