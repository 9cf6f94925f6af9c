// What the list of boxes asks for: the page on the server and the screen in the browser must ask the same.
import { type BoxKind, boxKinds } from "@/server/contract/box";

export type BoxFilter = { kind?: string | null; agent?: string | null };

export function boxListQuery(projectId: string, { kind, agent }: BoxFilter) {
  return {
    project_id: projectId,
    kind: boxKinds.find((known): known is BoxKind => known === kind),
    owner_agent_id: agent ?? undefined,
  };
}
