"use client";

// Stops a whole batch, after saying what that does.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { announce } from "@/components/ui/toaster";
import type { BatchSheet } from "@/server/contract/batch-sheet";
import { stopWords } from "./stop-words";

export function StopBatch({ projectId, sheet }: { projectId: string; sheet: BatchSheet }) {
  const trpc = useTRPC();
  const [isOpen, setIsOpen] = useState(false);
  const plate = `B${sheet.number}`;
  const stop = useMutation(
    trpc.batch.stop.mutationOptions({
      onSuccess: (wasRunning) => {
        setIsOpen(false);
        announce(
          wasRunning
            ? {
                title: `${plate} is stopped`,
                detail: "What its branches wrote stays in their boxes.",
                status: "canceled",
              }
            : { title: `${plate} had ended before`, detail: "Nothing was stopped.", status: "success" },
        );
      },
    }),
  );
  return (
    <>
      <Button variant="danger" icon="stop" onClick={() => setIsOpen(true)}>
        Stop
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        title={`Stop ${plate}?`}
        description={stopWords(sheet)}
        footer={
          <>
            <Button onClick={() => setIsOpen(false)}>Let it run</Button>
            <Button
              variant="danger"
              icon="stop"
              disabled={stop.isPending}
              onClick={() => stop.mutate({ project_id: projectId, batch_id: sheet.batch_id })}
            >
              {stop.isPending ? "Stopping" : `Stop ${plate}`}
            </Button>
          </>
        }
      >
        {stop.error === null ? null : (
          <p role="alert" className="text-st-failed">
            It was not stopped: {stop.error.message}
          </p>
        )}
      </Dialog>
    </>
  );
}
