import type { Metadata } from "next";
import { inboxListQuery } from "@/components/inbox/inbox-list-query";
import { InboxScreen } from "@/components/inbox/inbox-screen";
import { nextPage } from "@/components/trpc/next-page";
import { HydrateClient, prefetchPages, trpc } from "@/server/api/rsc";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "Inbox" };

type Props = {
  params: Promise<{ project: string }>;
  searchParams: Promise<{ status?: string; type?: string; agent?: string; ended?: string }>;
};

export default async function Page({ params, searchParams }: Props) {
  const projectId = decodeURIComponent((await params).project);
  await prefetchPages(trpc.inbox.list.infiniteQueryOptions(inboxListQuery(projectId, await searchParams), nextPage));
  return (
    <HydrateClient>
      <InboxScreen projectId={projectId} />
    </HydrateClient>
  );
}
