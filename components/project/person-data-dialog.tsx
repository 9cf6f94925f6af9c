"use client";

// What a person put into a project: choose who, look at each kind, and erase it. Opened from the project's menu.
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import type { Project } from "@/server/contract/project";
import { ErasePerson } from "./erase-person";
import { PeopleList } from "./people-list";
import { PersonItems } from "./person-items";
import { PersonKinds } from "./person-kinds";
import { kindWords } from "./person-words";
import { usePersonPlace } from "./use-person-place";

export type PersonDataDialogProps = { projectId: string; projects: readonly Project[] };

export function PersonDataDialog({ projectId, projects }: PersonDataDialogProps) {
  const { person, kind, choose, list, back, close } = usePersonPlace();
  const [erasing, setErasing] = useState<string | null>(null);
  const title = projects.find(({ project_id }) => project_id === projectId)?.title ?? projectId;
  if (person !== null && erasing === person)
    return <ErasePerson projectId={projectId} title={title} user={person} onClose={() => setErasing(null)} />;
  return (
    <Dialog
      isOpen
      width={560}
      onOpenChange={(isOpen) => {
        if (!isOpen) close();
      }}
      title={
        person === null ? "A person's data" : kind === null ? `Data of ${person}` : `${kindWords[kind]} of ${person}`
      }
      description={`In the project ${title}. A person is the name that was given with the request.`}
      footer={
        <>
          {person === null ? null : (
            <Button variant="ghost" icon="left" onClick={back}>
              {kind === null ? "All people" : "All kinds"}
            </Button>
          )}
          <span className="flex-1" />
          {person === null || kind !== null ? null : (
            <Button variant="danger" icon="trash" aria-haspopup="dialog" onClick={() => setErasing(person)}>
              Erase
            </Button>
          )}
          <Button onClick={close}>Close</Button>
        </>
      }
    >
      {person === null ? (
        <PeopleList projectId={projectId} onChoose={choose} />
      ) : kind === null ? (
        <PersonKinds projectId={projectId} user={person} onList={list} />
      ) : (
        <PersonItems projectId={projectId} user={person} kind={kind} />
      )}
    </Dialog>
  );
}
