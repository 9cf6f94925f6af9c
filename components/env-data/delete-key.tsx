"use client";

// Deleting a key takes it from every agent of the run; the dialog says what stays.
import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { announce } from "@/components/ui/toaster";
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
    <Dialog
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      title={`Delete ${key}`}
      description={`No agent of run ${run.number} can read it any more. Who asks for it is told that it is not there.`}
      footer={
        <>
          <Button variant="ghost" data-autofocus onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="danger"
            icon="trash"
            disabled={remove.isPending}
            onClick={() => remove.mutate({ project_id: projectId, root_turn_id, key })}
          >
            Delete key
          </Button>
        </>
      }
    >
      <p className="text-ink-2">
        What agents have read of it stays in their boxes. The value itself is gone and cannot be brought back.
      </p>
      {remove.error === null ? null : (
        <p role="alert" className="mt-2 text-st-failed">
          {remove.error.message}
        </p>
      )}
    </Dialog>
  );
}
