import { ListSkeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <div className="pt-[42px]">
      <ListSkeleton what="list of batches" rowHeight={48} />
    </div>
  );
}
