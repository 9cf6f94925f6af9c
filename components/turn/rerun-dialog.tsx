"use client";

// The same task once more, for a fresh agent; the instruction may be another one.
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { useShortcut } from "@/components/ui/shortcuts";
import { TextArea } from "@/components/ui/text-area";
import { contentText } from "@/server/contract/card";
import type { TurnSheet } from "@/server/contract/turn-sheet";

export function RerunDialog({
  projectId,
  sheet,
  onClose,
}: {
  projectId: string;
  sheet: TurnSheet;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const router = useRouter();
  const before = contentText(sheet.instruction?.content ?? null);
  const [instruction, setInstruction] = useState(before);
  const rerun = useMutation(
    trpc.turn.rerun.mutationOptions({
      onSuccess(turn) {
        announce({ title: `A new run repeats ${sheet.headcode}. This is its first turn.`, status: "dispatched" });
        onClose();
        router.push(`/p/${encodeURIComponent(projectId)}/turns/${encodeURIComponent(turn.agent_turn_id)}`);
      },
    }),
  );
  const isEmpty = instruction.trim() === "";
  const run = () => {
    if (rerun.isPending || isEmpty) return;
    const overrides = instruction === before ? {} : { instruction };
    rerun.mutate({ project_id: projectId, agent_turn_id: sheet.agent_turn_id, overrides });
  };
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title={`Run ${sheet.headcode} again?`}
      description={`A new run begins with a fresh agent of the same profile version (${sheet.profile_name}), which is given the same ${sheet.context_cards} cards. ${sheet.headcode} stays as it is.`}
      width={560}
      footer={
        <>
          <Button onClick={onClose}>Leave it</Button>
          <Button
            variant="primary"
            icon="retry"
            keys="mod+enter"
            aria-disabled={rerun.isPending || isEmpty}
            onClick={run}
          >
            {rerun.isPending ? "Starting" : instruction === before ? "Run it again" : "Run with this instruction"}
          </Button>
        </>
      }
    >
      <RunKey onRun={run} />
      <Field label="Instruction" error={isEmpty ? "Enter an instruction." : null}>
        <TextArea rows={8} value={instruction} onChange={(event) => setInstruction(event.target.value)} />
      </Field>
      {rerun.error ? (
        <p role="alert" className="mt-2 text-st-failed">
          Could not start it: {rerun.error.message}
        </p>
      ) : null}
    </Dialog>
  );
}

/** As in the launch dialog, where people learn it. A part of its own: while a dialog is open only the keys inside it fire. */
function RunKey({ onRun }: { onRun: () => void }) {
  useShortcut("mod+enter", "Run it again", onRun, { group: "Run again", isWhileTyping: true });
  return null;
}
