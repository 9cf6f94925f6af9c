"use client";

// The workspaces that a pack can be built from, as the launch dialog and the composer list them.
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";

/** `isKnown` is false until the list has come: nothing is said about it before. */
export function useWorkspaceChoices(projectId: string): {
  isKnown: boolean;
  choices: readonly { value: string; label: string }[];
} {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.workspace.list.queryOptions({ project_id: projectId }, { staleTime: 5_000 }));
  return {
    isKnown: data !== undefined,
    choices: (data?.items ?? []).map(({ name }) => ({ value: name, label: name })),
  };
}
