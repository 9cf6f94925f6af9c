"use client";

// Forks a box: a new one that shares its first cards. The box itself is never changed.
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { formatNumber } from "@/components/ui/format";
import { TextInput } from "@/components/ui/text-input";
import { boxPlate } from "@/server/contract/box";

export type ForkBoxDialogProps = {
  projectId: string;
  boxId: string;
  /** Cards in the box now. */
  length: number;
  /** Up to and with the card that is open; the whole box if none is. */
  upto: number;
  onClose: () => void;
};

export function ForkBoxDialog({ projectId, boxId, length, upto: first, onClose }: ForkBoxDialogProps) {
  const client = useTRPCClient();
  const router = useRouter();
  const [text, setText] = useState(String(first));
  const upto = countOf(text, length);
  const fork = useMutation({
    mutationFn: (count: number) => client.box.fork.mutate({ project_id: projectId, box_id: boxId, upto: count }),
    retry: false,
    onSuccess: ({ box_id }) => router.push(`/p/${encodeURIComponent(projectId)}/boxes/${box_id}`),
  });
  function send() {
    if (upto !== null && !fork.isPending && !fork.isSuccess) fork.mutate(upto);
  }
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      title={`Fork box ${boxPlate(boxId)}`}
      description="Makes a new box that shares the first cards of this one. This box stays as it is."
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="primary"
            icon="fork"
            disabled={upto === null || fork.isPending || fork.isSuccess}
            onClick={send}
          >
            Fork
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <Field
          label="Cards to share"
          aside={`of ${formatNumber(length)}`}
          hint="From the first card on"
          error={
            upto === null ? `Enter a whole number from 0 to ${formatNumber(length)}.` : (fork.error?.message ?? null)
          }
        >
          <TextInput
            data-autofocus
            inputMode="numeric"
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              fork.reset();
            }}
          />
        </Field>
      </form>
    </Dialog>
  );
}

/** null = no number of cards that the box has. */
function countOf(text: string, length: number): number | null {
  const count = Number(text.trim());
  return /^\d+$/.test(text.trim()) && count <= length ? count : null;
}
