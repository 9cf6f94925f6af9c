import { TurnSkeleton } from "@/components/turn/turn-skeleton";

export default function Loading() {
  return <TurnSkeleton />;
}
