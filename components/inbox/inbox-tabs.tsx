"use client";

// The inbox of a project: what needs a person, and what waits for agents. Without a word in the address it opens where
// something needs the person who opens it.
import { useQuery } from "@tanstack/react-query";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Tabs } from "@/components/ui/tabs";
import { InboxScreen } from "./inbox-screen";
import { PeopleScreen } from "./people-screen";
import { WatchdogNote } from "./watchdog-note";

const inboxViews = ["people", "agents"] as const;

export function InboxTabs({ projectId }: { projectId: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.inbox.open_requests.queryOptions({ project_id: projectId }));
  const [asked, setAsked] = useQueryState("view", parseAsStringLiteral(inboxViews));
  // Decided once: the last answer must not turn the page over.
  const [first] = useState(() => ((data?.open_count ?? 0) > 0 ? ("people" as const) : ("agents" as const)));
  return (
    <Tabs
      label="Inbox"
      value={asked ?? first}
      onChange={(view) => void setAsked(view)}
      tabs={[
        { value: "people", label: "Needs a person", count: data?.open_count ? String(data.open_count) : undefined },
        { value: "agents", label: "Waiting for agents" },
      ]}
    >
      <WatchdogNote projectId={projectId} />
      {(asked ?? first) === "people" ? <PeopleScreen projectId={projectId} /> : <InboxScreen projectId={projectId} />}
    </Tabs>
  );
}
