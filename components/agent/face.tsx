// The mark of an agent, or the disc of a person: only people are round.
import { AgentMark } from "@/components/ui/agent-mark";
import { HumanMark } from "@/components/ui/human-mark";
import { isPerson, personName } from "./agent-words";

export type FaceProps = { agentId: string; profile: string | undefined; size?: number };

export function Face({ agentId, profile, size = 18 }: FaceProps) {
  const agent = { agent_id: agentId };
  if (isPerson(agent)) return <HumanMark name={personName(agent)} size={size} />;
  return <AgentMark agentId={agentId} profile={profile ?? agentId} size={size} />;
}
