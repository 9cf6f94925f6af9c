"use client";

// On the projects page nothing says where a file belongs, so it is asked: a project that is there, or a new one.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";

const NEW = "+new";
const TITLE = "Imported runs";

export function PlaceChoice({ onPlace }: { onPlace: (projectId: string) => void }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.project.list.queryOptions());
  const create = useMutation(
    trpc.project.create.mutationOptions({ onSuccess: (project) => onPlace(project.project_id) }),
  );
  const places = (data ?? []).filter((project) => project.status !== "archived" && !project.is_demo);
  const [chosen, setChosen] = useState<string | null>(null);
  const title = freeTitle(data ?? []);
  // Where imports went before is where they most likely go again.
  const value = chosen ?? places.find((project) => project.title === TITLE)?.project_id ?? NEW;
  return (
    <div className="mt-3 flex items-end gap-2">
      <Field label="Into" className="flex-1" error={create.error?.message ?? null}>
        <Select
          value={value}
          onChange={setChosen}
          options={[
            { value: NEW, label: `A new project, “${title}”` },
            ...places.map((project) => ({ value: project.project_id, label: project.title })),
          ]}
        />
      </Field>
      <Button
        variant="primary"
        size="form"
        disabled={create.isPending}
        onClick={() => (value === NEW ? create.mutate({ title }) : onPlace(value))}
      >
        Import
      </Button>
    </div>
  );
}

/** Two projects of one name could not be told apart in a list. */
function freeTitle(projects: readonly { title: string }[]): string {
  const taken = new Set(projects.map((project) => project.title));
  for (let n = 1; ; n++) {
    const title = n === 1 ? TITLE : `${TITLE} ${n}`;
    if (!taken.has(title)) return title;
  }
}
