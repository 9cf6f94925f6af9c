import { HandoverSkeleton } from "@/components/handover/handover-skeleton";

export default function Loading() {
  return <HandoverSkeleton />;
}
