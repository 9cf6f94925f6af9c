import { AgentSkeleton } from "@/components/agent/agent-screen";

export default function Loading() {
  return <AgentSkeleton />;
}
