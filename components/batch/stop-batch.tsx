"use client";

// Stops a whole batch, after saying what that does.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { withHeir } from "@/components/ui/focus-heir";
import { batchFirstWord, batchInWords } from "@/server/contract/batch-code";
import type { BatchSheet } from "@/server/contract/batch-sheet";
import { stopWords } from "./stop-words";

export function StopBatch({ projectId, sheet }: { projectId: string; sheet: BatchSheet }) {
  const trpc = useTRPC();
  const [isOpen, setIsOpen] = useState(false);
  const said = batchInWords(sheet);
  const first = batchFirstWord(sheet);
  const stop = useMutation(
    trpc.batch.stop.mutationOptions({
      onSuccess: (wasRunning) => {
        setIsOpen(false);
        announce(
          wasRunning
            ? {
                title: `${first} is stopped`,
                detail: "The output of its branches is kept.",
                status: "canceled",
              }
            : { title: `${first} had ended before`, detail: "Nothing was stopped.", status: "success" },
        );
      },
    }),
  );
  return (
    <>
      <Button ref={withHeir} variant="danger" icon="stop" onClick={() => setIsOpen(true)}>
        Stop
      </Button>
      {isOpen ? (
        <ConfirmDialog
          title={`Stop ${said}?`}
          description={stopWords(sheet)}
          action={stop.isPending ? "Stopping" : `Stop ${said}`}
          icon="stop"
          stay="Let it run"
          isPending={stop.isPending}
          error={stop.error && `Could not stop it: ${stop.error.message}`}
          onConfirm={() => stop.mutate({ project_id: projectId, batch_id: sheet.batch_id })}
          onClose={() => setIsOpen(false)}
        />
      ) : null}
    </>
  );
}
