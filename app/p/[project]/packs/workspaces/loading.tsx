import { ListSkeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <div className="pt-[42px]">
      <ListSkeleton what="list of workspaces" rowHeight={44} />
    </div>
  );
}
