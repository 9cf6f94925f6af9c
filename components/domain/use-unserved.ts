"use client";

// Which of the profiles or agents that are shown nobody takes turns for now: asked of the kernel, which knows the rule.
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { type AskedAbout, isUnserved, kindsOf } from "./served-kinds";
import { pace, useReadAgain } from "./use-read-again";

/** Undefined while it is not known. */
export type IsUnserved = (one: AskedAbout) => boolean | undefined;

export function useUnserved(projectId: string, shown: readonly AskedAbout[]): IsUnserved {
  const trpc = useTRPC();
  const asked = kindsOf(shown);
  const { data, isPlaceholderData } = useQuery(
    trpc.health.unserved.queryOptions(
      { project_id: projectId, asked },
      // A page of the list more is a new question; the answer to the one before stays while it is under way.
      { enabled: asked.length > 0, ...useReadAgain(pace.seldom), placeholderData: (before) => before },
    ),
  );
  return (one) => isUnserved(one, { unserved: data, asked: isPlaceholderData ? [] : asked });
}
