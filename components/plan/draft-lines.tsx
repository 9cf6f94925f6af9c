"use client";

// A person's own drafts: what was drawn and not published yet. Without this list a plan without a name had nothing but its address.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { formatCount } from "@/components/ui/format";
import { IconButton } from "@/components/ui/icon-button";
import { Link } from "@/components/ui/link";
import { Ago } from "@/components/ui/time";
import type { PlanDraftLine } from "@/server/contract/plan/plan-record";

export function DraftLines({ projectId, plans }: { projectId: string; plans: ReadonlyMap<string, string> }) {
  const trpc = useTRPC();
  const drafts = useQuery(trpc.plan.drafts.queryOptions({ project_id: projectId }));
  const [gone, setGone] = useState<PlanDraftLine | null>(null);
  const remove = useMutation(
    trpc.plan.remove_draft.mutationOptions({
      onSuccess: async () => {
        announce({ title: "The draft is deleted" });
        setGone(null);
        await drafts.refetch();
      },
    }),
  );
  const items = drafts.data ?? [];
  if (items.length === 0) return null;
  const nameOf = ({ plan_id, name }: PlanDraftLine): string => plans.get(plan_id ?? "") ?? (name || "Without a name");
  const base = `/p/${encodeURIComponent(projectId)}/compose`;
  return (
    <details className="flex-none border-line border-t px-4 py-1.5">
      <summary className="min-h-8 cursor-pointer py-1.5 text-ink-2">
        {formatCount(items.length, "draft")} of yours, not published
      </summary>
      <ul className="max-h-60 overflow-y-auto">
        {items.map((draft) => {
          const plan = plans.get(draft.plan_id ?? "");
          return (
            <li key={draft.draft_id} className="flex min-h-9 items-center gap-2">
              <Link
                dir="auto"
                className="min-w-0 flex-1 truncate hover:underline"
                href={plan === undefined ? `${base}?draft=${draft.draft_id}` : `${base}/${encodeURIComponent(plan)}`}
              >
                {nameOf(draft)}
                {draft.base_version === undefined ? "" : `, from version ${draft.base_version}`}
              </Link>
              <span className="text-ink-3">
                <Ago at={draft.updated_at} />
              </span>
              <IconButton
                icon="trash"
                label={`Delete the draft ${nameOf(draft)}`}
                size="sm"
                onClick={() => setGone(draft)}
              />
            </li>
          );
        })}
      </ul>
      {gone === null ? null : (
        <ConfirmDialog
          title={`Delete the draft ${nameOf(gone)}`}
          description="What was drawn in it and not published goes. Published versions and runs stay. This cannot be undone."
          action="Delete draft"
          isPending={remove.isPending}
          error={remove.error?.message ?? null}
          onConfirm={() => remove.mutate({ project_id: projectId, draft_id: gone.draft_id, rev: gone.rev })}
          onClose={() => setGone(null)}
        />
      )}
    </details>
  );
}
