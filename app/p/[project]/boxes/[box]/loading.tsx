import { BoxSkeleton } from "@/components/box/box-skeleton";

export default function Loading() {
  return <BoxSkeleton />;
}
