"use client";

// Stops the one branch that is still running, so that the batch closes as partial with what has been delivered.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { batchFirstWord, batchInWords } from "@/server/contract/batch-code";
import type { BatchSheet } from "@/server/contract/batch-sheet";
import type { TurnFrame } from "@/server/contract/frame";
import { closeWords, lastOut } from "./close-words";

export function CloseBatch({ projectId, sheet }: { projectId: string; sheet: BatchSheet }) {
  const [asked, setAsked] = useState<TurnFrame | null>(null);
  const turn = lastOut(sheet);
  // A branch that ends while the question stands keeps the question: its answer says that there was nothing left to stop.
  if (turn === null && asked === null) return null;
  return (
    <>
      <Button aria-haspopup="dialog" disabled={turn === null} onClick={() => setAsked(turn)}>
        Close as partial
      </Button>
      {asked === null ? null : (
        <CloseDialog projectId={projectId} sheet={sheet} turn={asked} onClose={() => setAsked(null)} />
      )}
    </>
  );
}

type CloseDialogProps = { projectId: string; sheet: BatchSheet; turn: TurnFrame; onClose: () => void };

function CloseDialog({ projectId, sheet, turn, onClose }: CloseDialogProps) {
  const trpc = useTRPC();
  const said = batchInWords(sheet);
  const first = batchFirstWord(sheet);
  const close = useMutation(
    trpc.turn.stop.mutationOptions({
      onSuccess({ stopped }) {
        onClose();
        announce(
          stopped.length > 0
            ? { title: `${turn.headcode} is stopped`, detail: `${first} closes with what it has.`, status: "partial" }
            : { title: `${turn.headcode} had ended before`, detail: "Nothing was stopped.", status: "success" },
        );
      },
    }),
  );
  return (
    <ConfirmDialog
      title={`Close ${said} as partial?`}
      description={closeWords(sheet, turn)}
      action={close.isPending ? "Closing" : `Close ${said}`}
      icon="stop"
      stay={`Wait for ${turn.headcode}`}
      isPending={close.isPending}
      error={close.error && `Could not close it: ${close.error.message}`}
      onConfirm={() =>
        close.mutate({
          project_id: projectId,
          agent_turn_id: turn.agent_turn_id,
          scope: "turn",
          reason: `${said} is closed with what it has`,
        })
      }
      onClose={onClose}
    />
  );
}
