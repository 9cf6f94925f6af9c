import { ListSkeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <div className="pt-[42px]">
      <ListSkeleton what="list of alarms" rowHeight={48} />
    </div>
  );
}
