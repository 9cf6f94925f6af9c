"use client";

// Deleting a key takes it from every agent of the run; the dialog says what stays.
import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import type { EnvLine, EnvRun } from "@/server/contract/env-data";

export type DeleteKeyProps = {
  projectId: string;
  run: EnvRun;
  line: EnvLine;
  onDeleted: () => void;
  onClose: () => void;
};

export function DeleteKey({ projectId, run, line, onDeleted, onClose }: DeleteKeyProps) {
  const trpc = useTRPC();
  const { root_turn_id, key } = line;
  const remove = useMutation(
    trpc.env_data.remove.mutationOptions({
      onSuccess: () => {
        announce({ title: `${key} is deleted` });
        onDeleted();
      },
    }),
  );
  return (
    <ConfirmDialog
      title={`Delete ${key}`}
      description={`No agent of run ${run.number} can read it any more. Agents that ask for it are told that it was not found.`}
      action="Delete key"
      isPending={remove.isPending}
      error={remove.error?.message ?? null}
      onConfirm={() => remove.mutate({ project_id: projectId, root_turn_id, key })}
      onClose={onClose}
    >
      Copies that agents have read stay in their boxes. You can't restore the value.
    </ConfirmDialog>
  );
}
