// What the list of batches asks for: the page on the server and the screen in the browser must ask the same.
import { type BatchStatus, batchStatuses } from "@/server/contract/batch";

export type BatchFilter = { status?: string | null; run?: string | null };

export function batchListQuery(projectId: string, { status, run }: BatchFilter) {
  return {
    project_id: projectId,
    status: batchStatuses.find((known): known is BatchStatus => known === status),
    root_turn_id: run ?? undefined,
  };
}
