"use client";

// Deleting a workspace takes its index; packs that were built from it stay as they are.
import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import type { Workspace } from "@/server/contract/workspace";

export type DeleteWorkspaceProps = {
  projectId: string;
  workspace: Workspace;
  onDeleted: () => void;
  onClose: () => void;
};

export function DeleteWorkspace({ projectId, workspace: { name, kind }, onDeleted, onClose }: DeleteWorkspaceProps) {
  const trpc = useTRPC();
  const remove = useMutation(
    trpc.workspace.remove.mutationOptions({
      onSuccess: () => {
        announce({ title: `${name} is deleted` });
        onDeleted();
      },
    }),
  );
  return (
    <ConfirmDialog
      title={`Delete the workspace ${name}`}
      description="Its listing and its search index are deleted. No new pack can be built from it."
      action="Delete workspace"
      isPending={remove.isPending}
      error={remove.error?.message ?? null}
      onConfirm={() => remove.mutate({ project_id: projectId, name })}
      onClose={onClose}
    >
      {kind === "folder"
        ? "The folder on the server stays as it is. Packs that were built from it stay too."
        : "The uploaded files are deleted, except those that packs keep as their sources."}
    </ConfirmDialog>
  );
}
