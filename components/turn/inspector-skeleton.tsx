// The inspector while its code is on its way: its head and its first sections, so that nothing jumps when it comes.
import { Skeleton } from "@/components/ui/skeleton";

export function InspectorSkeleton() {
  return (
    <div role="status" aria-label="Loading the inspector" className="min-h-0 flex-1 overflow-hidden">
      <div className="px-4 pt-3.5 pb-3">
        <Skeleton className="h-[26px] w-40" />
        <Skeleton className="mt-2 h-3 w-56" />
      </div>
      {[0, 1, 2, 3].map((section) => (
        <div key={section} className="border-line border-t px-4 py-3.5">
          <Skeleton className="h-3 w-24" />
          <Skeleton className="mt-3 h-2.5 w-4/5" />
          <Skeleton className="mt-2 h-2.5 w-3/5" />
        </div>
      ))}
    </div>
  );
}
