import { SkeletonRows } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <div className="pt-[72px]">
      <SkeletonRows count={12} rowHeight={36} label="Loading environment data" />
    </div>
  );
}
