"use client";

// Projects that were removed and can still be had back, each with the time that is left for it.
import { useMutation, useQuery } from "@tanstack/react-query";
import { pace, useReadAgain } from "@/components/domain/use-read-again";
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { Button } from "@/components/ui/button";
import { useNow } from "@/components/ui/use-now";

export function RemovedProjects({ onChanged }: { onChanged: () => void }) {
  const trpc = useTRPC();
  const now = useNow();
  const { data, refetch } = useQuery(
    trpc.project.removed.queryOptions(undefined, { ...useReadAgain(pace.often), staleTime: 0 }),
  );
  const undo = useMutation(
    trpc.project.undo.mutationOptions({
      onSuccess: () => {
        void refetch();
        onChanged();
      },
      onError: (error) => {
        void refetch();
        announce({ title: "Could not undo it", detail: error.message, status: "failed" });
      },
    }),
  );
  const left = (deletedAt: string) => (now === 0 ? null : Math.ceil((Date.parse(deletedAt) - now) / 1000));
  const shown = (data ?? []).filter(({ deleted_at }) => (left(deleted_at) ?? 1) > 0);
  if (shown.length === 0) return null;
  return (
    <ul aria-label="Removed projects" className="mb-3 flex flex-col gap-1.5">
      {shown.map(({ project_id, title, deleted_at }) => (
        <li key={project_id}>
          {/* Not the row itself: a status is no item, and a list may hold nothing else. */}
          <div
            role="status"
            className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-2 border border-line bg-panel px-4 py-2"
          >
            <span className="min-w-0 flex-1">
              <b>{title}</b> is removed. <span className="text-ink-3">Deleted in {left(deleted_at) ?? 30} s.</span>
            </span>
            <Button size="sm" icon="undo" disabled={undo.isPending} onClick={() => undo.mutate({ project_id })}>
              Undo
            </Button>
          </div>
        </li>
      ))}
    </ul>
  );
}
