// The mark of an agent, or the disc of a person: only people are round.
import { isPerson, personName } from "@/components/domain/agent-names";
import { AgentMark } from "@/components/ui/agent-mark";
import { HumanMark } from "@/components/ui/human-mark";

export type FaceProps = { agentId: string; profile: string | undefined; size?: number };

export function Face({ agentId, profile, size = 18 }: FaceProps) {
  const agent = { agent_id: agentId };
  if (isPerson(agent)) return <HumanMark name={personName(agent.agent_id)} size={size} />;
  return <AgentMark agentId={agentId} profile={profile ?? agentId} size={size} />;
}
