// The box page while it is on its way: the same heights as the page, so that nothing jumps when it comes.
import { Skeleton } from "@/components/ui/skeleton";

export function BoxSkeleton() {
  return (
    <div role="status" aria-label="Loading the box" className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-none items-center gap-3 px-4 py-3">
        <Skeleton className="h-[26px] w-14" />
        <div>
          <Skeleton className="mb-2 h-3.5 w-44" />
          <Skeleton className="h-2.5 w-56" />
        </div>
        <Skeleton className="ml-6 h-2.5 w-[330px] max-sm:hidden" />
      </div>
      <div className="h-[38px] flex-none border-line border-b" />
      <div className="mt-[34px] border-line border-t">
        {Array.from({ length: 8 }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity.
          <div key={row} className="h-[68px] w-full max-w-[420px] border-line border-b px-4 pt-3">
            <Skeleton className="h-2.5 w-2/5" />
            <Skeleton className="mt-2.5 h-2.5 w-4/5" />
          </div>
        ))}
      </div>
    </div>
  );
}
