"use client";

// Which of the profiles or agents that are shown nobody takes turns for now: asked of the kernel, which knows the rule.
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import type { AskedOfWorkers } from "@/server/contract/health";
import { type AskedAbout, kindsOf } from "./served-kinds";
import { pace, useReadAgain } from "./use-read-again";

/** False too while it is not known: for who says nothing then. */
export function useUnserved(projectId: string, shown: readonly AskedAbout[]): (one: AskedAbout) => boolean {
  return useServed(projectId, shown).isMissing;
}

export function useServed(projectId: string, shown: readonly AskedAbout[]) {
  const trpc = useTRPC();
  const asked = kindsOf(shown);
  const { data } = useQuery(
    trpc.health.unserved.queryOptions(
      { project_id: projectId, asked },
      // A page of the list more is a new question; the answer to the one before stays while it is under way.
      { enabled: asked.length > 0, ...useReadAgain(pace.seldom), placeholderData: (before) => before },
    ),
  );
  return {
    isKnown: data !== undefined || asked.length === 0,
    isMissing: (one: AskedAbout): boolean => !one.is_human && (data?.some((kind) => isSame(kind, one)) ?? false),
  };
}

const isSame = (a: AskedOfWorkers, b: AskedOfWorkers): boolean =>
  a.worker_target === b.worker_target && a.needs_own_worker === b.needs_own_worker;
