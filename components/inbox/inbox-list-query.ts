// What the inbox asks for: the page on the server and the screen in the browser must ask the same.
import { inboxStatuses, isOpenRow, messageTypes } from "@/server/contract/inbox-line";

export type InboxFilter = {
  status?: string | null;
  type?: string | null;
  agent?: string | null;
  ended?: string | boolean | null;
};

/** What has ended is shown when it is asked for, by itself or by a status that only the ended have. */
export function inboxListQuery(projectId: string, { status, type, agent, ended }: InboxFilter) {
  const known = inboxStatuses.find((candidate) => candidate === status);
  const withEnded = ended === true || ended === "true" || (known !== undefined && !isOpenRow(known));
  return {
    project_id: projectId,
    agent_id: agent ?? undefined,
    status: known,
    message_type: messageTypes.find((candidate) => candidate === type),
    state: withEnded ? undefined : ("open" as const),
    limit: 100,
  };
}
