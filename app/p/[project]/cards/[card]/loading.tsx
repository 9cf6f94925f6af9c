import { CardSkeleton } from "@/components/card/card-screen";

export default function Loading() {
  return <CardSkeleton />;
}
