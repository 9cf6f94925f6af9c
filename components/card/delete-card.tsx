"use client";

// Deletes the content of a card, on the card's own page. What has left the card by then stays, and the question says so.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { IconButton } from "@/components/ui/icon-button";

export type DeleteCardProps = { projectId: string; cardId: string };

export function DeleteCard({ projectId, cardId }: DeleteCardProps) {
  const [isAsked, setIsAsked] = useState(false);
  return (
    <>
      <IconButton
        icon="trash"
        label="Delete the content of this card"
        size="sm"
        iconSize={14}
        aria-haspopup="dialog"
        onClick={() => setIsAsked(true)}
      />
      {isAsked ? <Question projectId={projectId} cardId={cardId} onClose={() => setIsAsked(false)} /> : null}
    </>
  );
}

function Question({ projectId, cardId, onClose }: DeleteCardProps & { onClose: () => void }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const remove = useMutation(
    trpc.card.remove.mutationOptions({
      // Boxes, turns and lists show the content too. Whatever is not on the screen is read when it is next.
      onSuccess: async () => {
        await client.invalidateQueries();
        announce({ title: "The content of the card is deleted" });
        onClose();
      },
    }),
  );
  return (
    <ConfirmDialog
      title="Delete the content of this card?"
      description="You can't restore it. Agents that have the card read [content deleted] in its place from their next request on."
      action={remove.isPending ? "Deleting" : "Delete content"}
      isPending={remove.isPending}
      error={remove.error?.message ?? null}
      onConfirm={() => remove.mutate({ project_id: projectId, card_id: cardId })}
      onClose={onClose}
    >
      Its id, type, author and weight stay, and its place in every box. Copies stay too: other cards with the same text
      (search for them), requests already sent to models, and titles and summaries of turns. Files that no other card
      refers to are deleted with it.
    </ConfirmDialog>
  );
}
