"use client";

// Deleting says what goes, and asks for the project's name to be typed: there is no way back.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { countedText } from "@/components/domain/counted";
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { formatCount } from "@/components/ui/format";
import { TextInput } from "@/components/ui/text-input";
import type { Project, ProjectContents } from "@/server/contract/project";

export type DeleteProjectProps = { project: Project; onDone: (isDeleted: boolean) => void };

export function DeleteProject({ project, onDone }: DeleteProjectProps) {
  const trpc = useTRPC();
  const { project_id, title } = project;
  const [typed, setTyped] = useState("");
  const { data: contents } = useQuery(trpc.project.contents.queryOptions({ project_id }, { staleTime: 0 }));
  const remove = useMutation(
    trpc.project.remove.mutationOptions({
      onSuccess: () => {
        announce({ title: `${title} is deleted` });
        onDone(true);
      },
    }),
  );
  const isMeant = typed.trim() === title;
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onDone(false);
      }}
      title={`Delete ${title}`}
      description={contents === undefined ? "Counting what will be deleted." : whatGoes(contents)}
      footer={
        <>
          <Button variant="ghost" onClick={() => onDone(false)}>
            Cancel
          </Button>
          <Button
            variant="danger"
            icon="trash"
            disabled={!isMeant || remove.isPending}
            onClick={() => remove.mutate({ project_id })}
          >
            Delete for good
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isMeant && !remove.isPending) remove.mutate({ project_id });
        }}
      >
        <Field label={`Type “${title}” to confirm`} error={remove.error?.message ?? null}>
          <TextInput value={typed} onChange={(event) => setTyped(event.target.value)} />
        </Field>
      </form>
    </Dialog>
  );
}

function whatGoes(contents: ProjectContents): string {
  const parts = [
    formatCount(contents.runs, "run"),
    countedText(contents.turns, "turn"),
    countedText(contents.agents, "agent"),
    formatCount(contents.profiles, "profile"),
    ...(contents.plans > 0 ? [countedText(contents.plans, "plan")] : []),
    countedText(contents.boxes, "box", "boxes"),
    countedText(contents.cards, "card"),
  ];
  const running =
    contents.running === 0
      ? ""
      : ` ${formatCount(contents.running, "turn")} ${contents.running === 1 ? "is" : "are"} running now and will be cut off.`;
  return `Takes ${parts.slice(0, -1).join(", ")} and ${parts.at(-1)} with it.${running} You can't undo this.`;
}
