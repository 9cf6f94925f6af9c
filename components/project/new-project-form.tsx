"use client";

// A new project: a name, and its id in addresses where one cares for it.
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { TextInput } from "@/components/ui/text-input";
import { idFault, titleFault } from "./title-fault";

export function NewProjectForm({ onDone }: { onDone: () => void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const [title, setTitle] = useState("");
  const [projectId, setProjectId] = useState("");
  const [isTried, setIsTried] = useState(false);
  const create = useMutation(
    trpc.project.create.mutationOptions({
      onSuccess: (project) => router.push(`/p/${encodeURIComponent(project.project_id)}`),
    }),
  );
  const faults = { title: titleFault(title), id: idFault(projectId) };
  const isTaken = create.error?.data?.error_code === "conflict";
  return (
    <form
      aria-label="New project"
      className="new-project"
      onSubmit={(event) => {
        event.preventDefault();
        setIsTried(true);
        if (faults.title !== null || faults.id !== null || create.isPending) return;
        create.mutate({ title, ...(projectId !== "" && { project_id: projectId }) });
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onDone();
      }}
    >
      <Field
        label="Name"
        className="min-w-56 flex-[2]"
        error={isTried ? (faults.title ?? (isTaken ? null : create.error?.message) ?? null) : null}
      >
        <TextInput
          autoFocus
          value={title}
          maxLength={400}
          onChange={(event) => {
            setTitle(event.target.value);
            if (create.isError) create.reset();
          }}
        />
      </Field>
      <Field
        label="Id"
        aside="optional"
        className="min-w-44 flex-1"
        error={faults.id ?? (isTaken ? (create.error?.message ?? null) : null)}
      >
        <TextInput
          isMono
          value={projectId}
          placeholder="made from the name"
          onChange={(event) => {
            setProjectId(event.target.value);
            if (create.isError) create.reset();
          }}
        />
      </Field>
      <div className="flex gap-2 pt-[21.5px]">
        <Button type="submit" variant="primary" size="form" disabled={create.isPending}>
          Create
        </Button>
        <Button variant="ghost" size="form" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
