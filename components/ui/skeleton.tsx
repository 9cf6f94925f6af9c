// The shape of what is on its way. It shows only after 300 ms (see .skeleton), and says so once to a screen reader.

export function Skeleton({ className = "" }: { className?: string }) {
  return <span aria-hidden className={`skeleton block ${className}`} />;
}

/** Rows of a list that is loading. `rowHeight` must be that of the real rows, or the page jumps when they come. */
export function SkeletonRows({
  count = 8,
  rowHeight = 24,
  label = "Loading",
}: {
  count?: number;
  rowHeight?: number;
  label?: string;
}) {
  return (
    <div role="status" aria-label={label}>
      {Array.from({ length: count }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity.
        <div key={row} className="flex items-center gap-3 px-4" style={{ height: rowHeight }}>
          <Skeleton className="size-3.5" />
          <Skeleton className={`h-2.5 ${widths[row % widths.length] ?? "w-1/2"}`} />
        </div>
      ))}
    </div>
  );
}

/** The rows of a page that is a list, under the place of their heads; as many as a window shows. `what`: "list of cards". */
export function ListSkeleton({ what, rowHeight }: { what: string; rowHeight: number }) {
  return (
    <div className="pt-[30px] max-[719px]:pt-0">
      <SkeletonRows count={Math.round(576 / rowHeight)} rowHeight={rowHeight} label={`Loading the ${what}`} />
    </div>
  );
}

const widths = ["w-2/5", "w-3/5", "w-1/2", "w-1/3"];
