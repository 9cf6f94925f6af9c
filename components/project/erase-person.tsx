"use client";

// Erasing a person asks for the name to be typed and for a reason: there is no way back. What stays is in the list behind it.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { readAgain } from "@/components/domain/read-again";
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { TextInput } from "@/components/ui/text-input";
import { REASON_MAX } from "@/server/contract/deletion";

export type ErasePersonProps = { projectId: string; title: string; user: string; onClose: () => void };

export function ErasePerson({ projectId, title, user, onClose }: ErasePersonProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const [typed, setTyped] = useState("");
  const [reason, setReason] = useState("");
  const erase = useMutation(
    trpc.person.erase.mutationOptions({
      // Cards, views and names are shown on other pages too. Whatever is not on the screen is read when it is next.
      onSuccess: async ({ deletion }) => {
        await readAgain(client);
        announce({
          title:
            deletion.ended_at === undefined
              ? `Erasing the data of ${user} goes on in the background`
              : `The data of ${user} is erased`,
        });
        onClose();
      },
    }),
  );
  const isMeant = typed.trim() === user;
  const send = () => {
    if (isMeant && !erase.isPending) erase.mutate({ project_id: projectId, user, reason: reason.trim() });
  };
  return (
    <Dialog
      isOpen
      width={500}
      onOpenChange={(isOpen) => {
        if (!isOpen && !erase.isPending) onClose();
      }}
      title={`Erase the data of ${user}?`}
      description={`In the project ${title}. You can't undo this.`}
      footer={
        <>
          <Button variant="ghost" disabled={erase.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button variant="danger" icon="trash" disabled={!isMeant || erase.isPending} onClick={send}>
            {erase.isPending ? "Erasing" : "Erase for good"}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <div className="flex flex-col gap-2 text-ink-2">
          <p>
            The contents of cards that {user} wrote are erased, with copies and stored requests. Views and drafts are
            deleted. A pseudonym replaces the name in rows that stay.
          </p>
          <p>
            Turns, the agent's id and saved profiles stay. So do backups and what models repeated in their own words.
          </p>
        </div>
        <Field label={`Type “${user}” to confirm`}>
          <TextInput data-autofocus value={typed} onChange={(event) => setTyped(event.target.value)} />
        </Field>
        <Field
          label="Reason"
          hint="Optional. Kept with the record of the deletion: do not write the name or any content in it."
          error={erase.error?.message ?? null}
        >
          <TextInput value={reason} maxLength={REASON_MAX} onChange={(event) => setReason(event.target.value)} />
        </Field>
        {/* Enter sends a form of several fields only where it has a button. */}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
    </Dialog>
  );
}
