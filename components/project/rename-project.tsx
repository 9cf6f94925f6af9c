"use client";

// The title, changed in its place: Enter keeps it, Escape leaves it.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { TextInput } from "@/components/ui/text-input";
import type { Project } from "@/server/contract/project";
import { titleFault } from "./title-fault";

export function RenameProject({ project, onDone }: { project: Project; onDone: () => void }) {
  const trpc = useTRPC();
  const [title, setTitle] = useState(project.title);
  const rename = useMutation(trpc.project.update.mutationOptions({ onSuccess: onDone }));
  const fault = titleFault(title);
  return (
    <form
      className="flex items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (fault !== null) return;
        if (title.trim() === project.title) onDone();
        else rename.mutate({ project_id: project.project_id, title });
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onDone();
      }}
    >
      <Field label="Title" isLabelHidden error={fault ?? rename.error?.message ?? null} className="max-w-90 flex-1">
        <TextInput
          autoFocus
          value={title}
          onFocus={(event) => event.target.select()}
          onChange={(event) => setTitle(event.target.value)}
        />
      </Field>
      <Button type="submit" size="form" disabled={fault !== null || rename.isPending}>
        Rename
      </Button>
      <Button variant="ghost" size="form" onClick={onDone}>
        Cancel
      </Button>
    </form>
  );
}
