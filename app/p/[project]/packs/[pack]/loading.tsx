import { PackSkeleton } from "@/components/context-pack/pack-skeleton";

export default function Loading() {
  return <PackSkeleton />;
}
