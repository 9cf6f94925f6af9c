"use client";

// Hides or erases the content of a card, on the card's own page. What has left the card by then stays, and the question says so.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { readAgain } from "@/components/domain/read-again";
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Field } from "@/components/ui/field";
import { formatCount } from "@/components/ui/format";
import { IconButton } from "@/components/ui/icon-button";
import { Segmented } from "@/components/ui/segmented";
import { TextInput } from "@/components/ui/text-input";
import type { CardHolders, Counted } from "@/server/contract/answers/deletions";
import { REASON_MAX } from "@/server/contract/deletion";

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
  const [way, setWay] = useState<"hide" | "erase">("hide");
  const [reason, setReason] = useState("");
  const one = { project_id: projectId, card_id: cardId };
  const holders = useQuery(trpc.card.holders.queryOptions(one));
  // Boxes, turns and lists show the content too. Whatever is not on the screen is read when it is next.
  const onSuccess = async () => {
    await readAgain(client);
    announce({ title: way === "hide" ? "The content of the card is hidden" : "The content of the card is erased" });
    onClose();
  };
  const remove = useMutation(trpc.card.remove.mutationOptions({ onSuccess }));
  const erase = useMutation(trpc.card.erase.mutationOptions({ onSuccess }));
  const isPending = remove.isPending || erase.isPending;
  return (
    <ConfirmDialog
      title={way === "hide" ? "Hide the content of this card?" : "Erase the content of this card?"}
      description="You can't restore it. Agents that have the card read [content deleted] in its place from their next request on."
      action={way === "hide" ? (isPending ? "Hiding" : "Hide content") : isPending ? "Erasing" : "Erase content"}
      isPending={isPending}
      error={(remove.error ?? erase.error ?? holders.error)?.message ?? null}
      onConfirm={() => (way === "hide" ? remove.mutate(one) : erase.mutate({ ...one, reason: reason.trim() }))}
      onClose={onClose}
    >
      <span className="flex flex-col gap-2">
        <Segmented
          label="How"
          value={way}
          onChange={setWay}
          choices={[
            { value: "hide", label: "Hide" },
            { value: "erase", label: "Erase" },
          ]}
        />
        <span>
          {way === "hide"
            ? "No page, search or model shows it again. Its bytes stay in the database, and so do its id, type, author and weight, and its place in every box. Copies stay too: other cards with the same text (search for them), requests already sent to models, and titles and summaries of turns. Files that no other card refers to are deleted with it."
            : "Its copies, the stored requests that contain it, and titles and summaries that quote it are erased with it. Other cards with the same text stay, and so do backups, and the journal until it is cut."}
        </span>
        {holders.data ? <Holders holders={holders.data} /> : null}
        {way === "erase" ? (
          <Field label="Reason" hint="Optional. Kept with the record of the deletion.">
            <TextInput value={reason} maxLength={REASON_MAX} onChange={(event) => setReason(event.target.value)} />
          </Field>
        ) : null}
      </span>
    </ConfirmDialog>
  );
}

function Holders({ holders }: { holders: CardHolders }) {
  const { boxes, requests, turns, agents, copies, same_words, runs, is_partial } = holders;
  return (
    <span>
      It is in {sum(boxes, "box", "boxes")} and {sum(requests, "request")} of {sum(turns, "turn")} and{" "}
      {sum(agents, "agent")}
      {runs.length === 0 ? "" : `, in ${runs.map(({ number }) => `run ${number}`).join(", ")}`}
      {is_partial ? ", and in older places" : ""}. {sum(copies, "copy", "copies")}; {sum(same_words, "other card")} with
      the same words.
    </span>
  );
}

const sum = ({ count, is_more }: Counted, one: string, many?: string) =>
  `${is_more ? "more than " : ""}${formatCount(count, one, many)}`;
