"use client";

// A plan that was never launched may go, with all its versions.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";

export type DeletePlanProps = { projectId: string; name: string; onDeleted: () => void; onClose: () => void };

export function DeletePlan({ projectId, name, onDeleted, onClose }: DeletePlanProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const remove = useMutation(
    trpc.plan.remove.mutationOptions({
      onSuccess: () => {
        announce({ title: `${name} is deleted` });
        onDeleted();
        void queryClient.invalidateQueries({ queryKey: trpc.plan.lines.queryKey() });
      },
    }),
  );
  return (
    <ConfirmDialog
      title={`Delete ${name}`}
      description="All its versions go. It was never launched, so no run is touched. This cannot be undone."
      action="Delete plan"
      isPending={remove.isPending}
      error={remove.error?.message ?? null}
      onConfirm={() => remove.mutate({ project_id: projectId, name })}
      onClose={onClose}
    />
  );
}
