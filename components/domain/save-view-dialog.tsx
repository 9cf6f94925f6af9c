"use client";

// Gives the query that is asked now a name. A name that is taken is said before the view under it is replaced.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { TextInput } from "@/components/ui/text-input";
import { isUnseen, VIEW_NAME_MAX } from "@/server/contract/saved-view";
import { type AskedQuery, listWords, pageNames } from "./view-href";

export type SaveViewDialogProps = AskedQuery & { onClose: () => void };

export function SaveViewDialog({ projectId, page, query, list, onClose }: SaveViewDialogProps) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const [text, setText] = useState("");
  const name = text.trim();
  const views = useQuery(trpc.view.list.queryOptions({ project_id: projectId }));
  const isNamed = !isUnseen(name);
  const taken = views.data?.find((view) => view.name === name);
  const save = useMutation({
    mutationFn: () => client.view.save.mutate({ project_id: projectId, name, page, query, list }),
    retry: false,
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: trpc.view.list.queryKey() });
      announce({ title: `Saved as ${name}`, detail: "It is in the menu of views and in the palette." });
      onClose();
    },
  });
  const send = () => {
    if (isNamed && !save.isPending) save.mutate();
  };
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      title={page === "runs" ? "Save this view" : "Save this query as a view"}
      description={`Everyone in this project can open it in the ${pageNames[page]}.`}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" disabled={!isNamed || save.isPending} onClick={send}>
            {taken ? "Replace" : "Save"}
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
        {query === "" ? null : <p className="mono mb-3 break-words text-ink-2">{query}</p>}
        {list === undefined ? null : <p className="mb-3 text-ink-2">{listWords(list)}</p>}
        <Field
          label="Name"
          hint={
            taken
              ? `A view of this name is there (${pageNames[taken.page]}: ${taken.query || "no query"}). It is replaced.`
              : "Unique in the project"
          }
          error={
            name !== "" && !isNamed
              ? "The name has no letter that can be seen. Write one that people can read."
              : (save.error?.message ?? null)
          }
        >
          <TextInput
            data-autofocus
            maxLength={VIEW_NAME_MAX}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              save.reset();
            }}
          />
        </Field>
      </form>
    </Dialog>
  );
}
