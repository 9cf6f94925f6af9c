"use client";

// The saved views of a project on the empty page of search: each opens on its page, and can be deleted.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { pageNames, viewHref } from "@/components/domain/view-href";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { patient } from "@/components/trpc/patient";
import { announce } from "@/components/ui/announcements";
import { IconButton } from "@/components/ui/icon-button";
import { Link } from "@/components/ui/link";
import { SkeletonRows } from "@/components/ui/skeleton";

export function SavedViews({ projectId }: { projectId: string }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const views = useQuery(trpc.view.list.queryOptions({ project_id: projectId }, patient));
  const remove = useMutation({
    mutationFn: (name: string) => client.view.remove.mutate({ project_id: projectId, name }),
    retry: false,
    onSuccess: (_done, name) => announce({ title: `View ${name} is deleted` }),
    onError: (error) => announce({ title: "Not deleted", detail: error.message, status: "failed" }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: trpc.view.list.queryKey() }),
  });
  if (views.data?.length === 0) return null;
  return (
    <section aria-labelledby="search-views" className="search-examples">
      <h2 id="search-views" className="font-semibold">
        Saved views
      </h2>
      {views.data === undefined ? (
        views.error ? (
          <p className="text-st-failed">{views.error.message}</p>
        ) : (
          <SkeletonRows count={3} rowHeight={34} label="Loading saved views" />
        )
      ) : (
        <ul>
          {views.data.map((view) => (
            <li key={view.name} className="flex items-center gap-2">
              <Link href={viewHref(projectId, view)} prefetch={false} className="search-view">
                <b className="truncate">{view.name}</b>
                <span className="mono truncate text-ink-2">{view.query}</span>
                <span className="text-ink-3">{pageNames[view.page]}</span>
              </Link>
              <IconButton
                icon="trash"
                label={`Delete view ${view.name}`}
                size="sm"
                disabled={remove.isPending}
                onClick={() => remove.mutate(view.name)}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
