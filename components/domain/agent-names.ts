// How agents and people are called on every page: ids are a slug and 32 digits, of which the last four tell two apart.

type Named = { agent_id: string; display_name?: string };

/** "demo-planner_01a2…25b3" reads "demo-planner 25b3"; what is given a name keeps it. */
export function agentName(agent: Named): string {
  if (agent.display_name !== undefined && agent.display_name !== "") return agent.display_name;
  const [, name, digits] = /^(.+)_([0-9a-f]{32})$/.exec(agent.agent_id) ?? [];
  return name === undefined || digits === undefined ? agent.agent_id : `${name} ${tailOf(digits)}`;
}

/** Agents made of one profile are called alike; the end of the id tells them apart. */
export function agentTail(agent: Named): string | null {
  if (agent.display_name === undefined || agent.display_name === "" || isPerson(agent)) return null;
  return tailOf(agent.agent_id);
}

/** In one line of text, where two agents of one profile stand in one list: "Demo_Reader 25b3", and people by their name. */
export function authorName(agent_id: string, display_name?: string): string {
  const author = { agent_id, display_name };
  if (isPerson(author)) return personName(agent_id);
  const tail = display_name === agent_id ? null : agentTail(author);
  return tail === null ? agentName(author) : `${agentName(author)} ${tail}`;
}

export const tailOf = (agentId: string): string => agentId.replace(/[^A-Za-z0-9]/g, "").slice(-4);

export const isPerson = (agent: { agent_id: string }): boolean => agent.agent_id.startsWith("human_");

/** "human_mara" is mara; an import's person, "human_<eight hex>", has no name. */
export const personName = (agentId: string): string =>
  agentId.replace(/^human_(?=.)/, "").replace(/^[0-9a-f]{8}$/, "human");

/** "import:WebSurfer" is a WebSurfer. */
export const profileLabel = (profileName: string): string => profileName.replace(/^import:/, "");
