"use client";

// The inbox of a project: what needs a person, and what waits for agents. Without a word in the address it opens where
// something needs the person who opens it.
import { useQuery } from "@tanstack/react-query";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { SkeletonRows } from "@/components/ui/skeleton";
import { Tabs } from "@/components/ui/tabs";
import { InboxScreen } from "./inbox-screen";
import { PeopleScreen } from "./people-screen";
import { WatchdogNote } from "./watchdog-note";

const inboxViews = ["people", "agents"] as const;

export function InboxTabs({ projectId }: { projectId: string }) {
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.inbox.open_requests.queryOptions({ project_id: projectId }));
  const [asked, setAsked] = useQueryState("view", parseAsStringLiteral(inboxViews));
  // Decided once, when it is known: the last answer must not turn the page over.
  const [first, setFirst] = useState<(typeof inboxViews)[number]>();
  if (first === undefined && (data !== undefined || error !== null))
    setFirst((data?.open_count ?? 0) > 0 ? "people" : "agents");
  const view = asked ?? first;
  return (
    <Tabs
      label="Inbox"
      value={view ?? ""}
      onChange={(next) => void setAsked(next === "people" ? "people" : "agents")}
      tabs={[
        { value: "people", label: "Needs a person", count: data?.open_count ? String(data.open_count) : undefined },
        { value: "agents", label: "Waiting for agents" },
      ]}
    >
      <WatchdogNote projectId={projectId} />
      {view === undefined ? <SkeletonRows count={8} rowHeight={48} label="Loading the inbox" /> : null}
      {view === "people" ? <PeopleScreen projectId={projectId} /> : null}
      {view === "agents" ? <InboxScreen projectId={projectId} /> : null}
    </Tabs>
  );
}
