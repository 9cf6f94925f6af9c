"use client";

// One kind of what a person put into a project, newest first, each with a link to the page that shows it.
import { useInfiniteQuery } from "@tanstack/react-query";
import { Failure } from "@/components/domain/failure";
import { More } from "@/components/domain/more";
import { useTRPC } from "@/components/trpc/client";
import { nextPage } from "@/components/trpc/next-page";
import { patient } from "@/components/trpc/patient";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { plainWords } from "@/components/ui/plain-words";
import { SkeletonRows } from "@/components/ui/skeleton";
import { Ago } from "@/components/ui/time";
import type { PersonItem } from "@/server/contract/answers/person-data";
import type { PersonKind } from "@/server/contract/person-data";
import { kindWords } from "./person-words";

export type PersonItemsProps = { projectId: string; user: string; kind: PersonKind };

export function PersonItems({ projectId, user, kind }: PersonItemsProps) {
  const trpc = useTRPC();
  const list = useInfiniteQuery(
    trpc.person.list.infiniteQueryOptions(
      { project_id: projectId, user, kind },
      { ...patient, ...nextPage, staleTime: 0 },
    ),
  );
  const name = kindWords[kind];
  if (list.data === undefined)
    return list.error === null ? (
      <SkeletonRows count={6} rowHeight={44} label={`Loading ${name.toLowerCase()}`} />
    ) : (
      <Failure error={list.error} what="list" onRetry={list.refetch} size="panel" />
    );
  const items = list.data.pages.flatMap((page) => page.items);
  if (items.length === 0)
    return <EmptyState title={`${name}: none`} cause={`${user} has put nothing of this kind into this project.`} />;
  return (
    <>
      <ul aria-label={`${name} of ${user}`} className="person-rows">
        {items.map((item) => (
          <li key={`${item.id} ${item.title} ${item.at}`} className="person-item">
            <span className="min-w-0 flex-1">
              <Name item={item} />
              <span className="mono block truncate text-ink-3">{plainWords(item.id)}</span>
            </span>
            <span className="text-ink-3">
              <Ago at={item.at} />
            </span>
          </li>
        ))}
      </ul>
      <More shown={items.length} one="entry" many="entries" list={list} />
    </>
  );
}

function Name({ item: { title, id, page } }: { item: PersonItem }) {
  const words = plainWords(title === "" ? id : title);
  return page === undefined ? (
    <span dir="auto" className="block truncate">
      {words}
    </span>
  ) : (
    <Link dir="auto" className="link block truncate" href={page}>
      {words}
    </Link>
  );
}
