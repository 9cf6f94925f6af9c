// How an agent is called on a page: ids are a slug and 32 digits, of which the last four tell two apart.
import { userOf } from "@/server/contract/ids";

/** "demo-planner_01a2…25b3" reads "demo-planner 25b3"; what is given a name keeps it. */
export function agentName(agent: { agent_id: string; display_name?: string }): string {
  if (agent.display_name !== undefined && agent.display_name !== "") return agent.display_name;
  const [, name, digits] = /^(.+)_([0-9a-f]{32})$/.exec(agent.agent_id) ?? [];
  return name === undefined || digits === undefined ? agent.agent_id : `${name} ${digits.slice(-4)}`;
}

/** Agents made of one profile are called alike; the end of the id tells them apart. */
export function agentTail(agent: { agent_id: string; display_name?: string }): string | null {
  if (agent.display_name === undefined || agent.display_name === "" || isPerson(agent)) return null;
  return agent.agent_id.slice(-4);
}

export const isPerson = (agent: { agent_id: string }): boolean => agent.agent_id.startsWith("human_");

export const personName = (agent: { agent_id: string }): string => userOf(agent.agent_id);
