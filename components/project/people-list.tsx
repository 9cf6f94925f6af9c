"use client";

// Who has put something into a project. At most 200 are named; anyone else is asked for by name.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Failure } from "@/components/domain/failure";
import { useTRPC } from "@/components/trpc/client";
import { patient } from "@/components/trpc/patient";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Field } from "@/components/ui/field";
import { SkeletonRows } from "@/components/ui/skeleton";
import { TextInput } from "@/components/ui/text-input";
import { User } from "@/server/contract/ids";

const Name = User.unwrap();

export function PeopleList({ projectId, onChoose }: { projectId: string; onChoose: (user: string) => void }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.person.people.queryOptions({ project_id: projectId }, { ...patient, staleTime: 0 }),
  );
  const [typed, setTyped] = useState("");
  const name = typed.trim();
  const isName = Name.safeParse(name).success;
  const fault = name === "" || isName ? null : "Names have 1 to 64 characters of A-Z a-z 0-9 _ -";
  const shown = (data?.items ?? []).filter(({ user }) => user.toLowerCase().includes(name.toLowerCase()));
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (isName) onChoose(name);
      }}
    >
      <Field label="Name" hint="Narrows the list. Press Enter to look for exactly this name." error={fault}>
        <TextInput data-autofocus value={typed} onChange={(event) => setTyped(event.target.value)} />
      </Field>
      {data === undefined ? (
        error === null ? (
          <SkeletonRows count={4} rowHeight={32} label="Loading the list of people" />
        ) : (
          <Failure error={error} what="list of people" onRetry={refetch} size="panel" />
        )
      ) : shown.length === 0 ? (
        <EmptyState
          title={name === "" ? "No people yet" : "No matching names"}
          cause={
            name === ""
              ? "Anyone who launches, answers, writes or saves something here is listed by name."
              : "No name in the list contains this."
          }
        />
      ) : (
        <ul aria-label="People" className="person-rows">
          {shown.map(({ user }) => (
            <li key={user}>
              <Button variant="ghost" icon="person" className="person-row" onClick={() => onChoose(user)}>
                {user}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {data?.is_more ? (
        <p className="text-ink-3">There are more people than these. Type the name to look for one.</p>
      ) : null}
    </form>
  );
}
