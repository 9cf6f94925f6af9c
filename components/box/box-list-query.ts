// What the list of boxes asks for: the page on the server and the screen in the browser must ask the same.
import { type BoxKind, boxKinds } from "@/server/contract/box";

export type BoxFilter = { kind?: string | null; agent?: string | null };

/** Requests are shown when they are asked for: there is one for every step. */
const unasked: BoxKind[] = ["request"];

export function boxListQuery(projectId: string, { kind, agent }: BoxFilter) {
  const known = boxKinds.find((candidate): candidate is BoxKind => candidate === kind);
  return {
    project_id: projectId,
    kind: known,
    without: known === undefined ? unasked : undefined,
    owner_agent_id: agent ?? undefined,
  };
}
