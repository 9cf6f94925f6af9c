"use client";

// A draft that is no plan: written by a newer server, or broken by hand. It says so, and what can be done, in place of the drawing.
import { useState } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import type { PlanDraft } from "@/server/contract/plan/plan-record";

export type UnreadableProps = {
  projectId: string;
  /** Null = it is a version, which nobody can delete. */
  draft: Pick<PlanDraft, "draft_id" | "rev"> | null;
  /** What of it cannot be read. */
  cause: string;
};

export function Unreadable({ projectId, draft, cause }: UnreadableProps) {
  const client = useTRPCClient();
  const [isAsking, setIsAsking] = useState(false);
  const [isPending, setIsPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const remove = async () => {
    if (draft === null || isPending) return;
    setIsPending(true);
    try {
      await client.plan.remove_draft.mutate({ project_id: projectId, draft_id: draft.draft_id, rev: draft.rev });
      window.location.reload();
    } catch (caught) {
      setError(caught instanceof Error ? caught.message : String(caught));
      setIsPending(false);
    }
  };
  return (
    <>
      <EmptyState
        title={draft ? "This draft cannot be read" : "This version cannot be read"}
        cause={`What is stored is not a plan that this Switchyard knows. ${cause}`}
        remedy={
          <>
            <Link className="btn" href={`/p/${encodeURIComponent(projectId)}/plans`}>
              All plans
            </Link>
            {draft ? <Button onClick={() => setIsAsking(true)}>Delete the draft</Button> : null}
          </>
        }
      />
      {isAsking ? (
        <ConfirmDialog
          title="Delete the draft?"
          description="What it holds is lost. Published versions of the plan stay."
          action="Delete draft"
          isPending={isPending}
          error={error}
          onConfirm={() => void remove()}
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </>
  );
}
