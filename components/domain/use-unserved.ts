"use client";

// Which of the profiles or agents that are shown nobody takes turns for now: asked of the kernel, which knows the rule.
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import type { AskedOfWorkers } from "@/server/contract/health";
import { type AskedAbout, kindsOf } from "./served-kinds";

const AGAIN_MS = 10_000;

/** False too while it is not known: nothing is said then. */
export function useUnserved(projectId: string, shown: readonly AskedAbout[]): (one: AskedAbout) => boolean {
  const trpc = useTRPC();
  const asked = kindsOf(shown);
  const { data } = useQuery(
    trpc.health.unserved.queryOptions(
      { project_id: projectId, asked },
      // A page of the list more is a new question; the answer to the one before stays while it is under way.
      { enabled: asked.length > 0, refetchInterval: AGAIN_MS, placeholderData: (before) => before },
    ),
  );
  return (one) => !one.is_human && (data?.some((kind) => isSame(kind, one)) ?? false);
}

const isSame = (a: AskedOfWorkers, b: AskedOfWorkers): boolean =>
  a.worker_target === b.worker_target && a.needs_own_worker === b.needs_own_worker;
