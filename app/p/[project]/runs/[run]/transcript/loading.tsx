import { TranscriptSkeleton } from "@/components/transcript/transcript-skeleton";
import "@/components/transcript/transcript.css";

export default function Loading() {
  return <TranscriptSkeleton />;
}
