// The shape of a transcript while it is on its way: the same columns and heights, so that nothing jumps.
import { Skeleton, SkeletonRows } from "@/components/ui/skeleton";

export function TranscriptSkeleton() {
  return (
    <div className="transcript-desk">
      <div className="flex min-h-0 min-w-0 flex-col">
        <div className="transcript-bar">
          <Skeleton className="h-4 w-44" />
          <span className="flex-1" />
          <Skeleton className="h-4 w-20" />
        </div>
        <LinesSkeleton />
      </div>
      <div className="transcript-aside max-sm:hidden">
        <HeadSkeleton />
      </div>
    </div>
  );
}

export const LinesSkeleton = () => <SkeletonRows count={12} rowHeight={62} label="Loading the transcript" />;

export const HeadSkeleton = () => (
  <div className="pt-4">
    <SkeletonRows count={6} rowHeight={36} label="Loading who did what" />
  </div>
);
