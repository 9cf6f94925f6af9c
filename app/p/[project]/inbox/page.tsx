import type { Metadata } from "next";
import { inboxListQuery } from "@/components/inbox/inbox-list-query";
import { InboxTabs } from "@/components/inbox/inbox-tabs";
import { peopleQuery } from "@/components/inbox/people-query";
import { nextPage } from "@/components/trpc/next-page";
import { HydrateClient, prefetchPages, trpc } from "@/server/api/rsc";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "Inbox" };

type Props = {
  params: Promise<{ project: string }>;
  searchParams: Promise<{ status?: string; type?: string; agent?: string; ended?: string; decided?: string }>;
};

export default async function Page({ params, searchParams }: Props) {
  const projectId = decodeURIComponent((await params).project);
  const search = await searchParams;
  await Promise.all([
    prefetchPages(
      trpc.inbox.requests.infiniteQueryOptions(peopleQuery(projectId, search.decided === "true"), nextPage),
    ),
    prefetchPages(trpc.inbox.list.infiniteQueryOptions(inboxListQuery(projectId, search), nextPage)),
  ]);
  return (
    <HydrateClient>
      <InboxTabs projectId={projectId} />
    </HydrateClient>
  );
}
