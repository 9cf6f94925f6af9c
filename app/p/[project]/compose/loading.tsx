import { SkeletonRows } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <div className="flex-1 pt-4">
      <SkeletonRows count={12} rowHeight={28} label="Opening the composer" />
    </div>
  );
}
