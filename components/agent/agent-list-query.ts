// What the list of agents asks for: the page on the server and the screen in the browser must ask the same.

export type AgentFilter = { q?: string | null; profile?: string | null };

export function agentListQuery(projectId: string, { q, profile }: AgentFilter) {
  const words = q?.trim().slice(0, 200);
  return {
    project_id: projectId,
    profile_name: profile ?? undefined,
    words: words === "" ? undefined : words,
    limit: 100,
  };
}
