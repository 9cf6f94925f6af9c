"use client";

// The context packs that a task can be given, newest first, as the launch dialog and the composer list them.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";

const SHOWN = 50;

export type PackChoice = { value: string; label: string; sha256: string };

export function usePackChoices(projectId: string): readonly PackChoice[] {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.context_pack.list.queryOptions(
      { project_id: projectId, limit: SHOWN },
      { staleTime: 5_000, placeholderData: keepPreviousData },
    ),
  );
  return (data?.items ?? []).map(({ code, title, artifact_ref, sha256 }) => ({
    value: artifact_ref,
    label: `${code} ${title}`,
    sha256,
  }));
}

type Option = { value: string; label: string };

/** What is chosen stays a choice, also when it is older than those listed. */
export const withChosen = (options: readonly Option[], value: string): Option[] =>
  options.some((option) => option.value === value)
    ? [...options]
    : [...options, { value, label: value.replace("artifact://context/", "") }];
