"use client";

// What a fork of the run would run and what it would take as recorded: asked when editing rests, so that nothing is reused silently.
import { useEffect, useState } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import type { ForkedPlace, ForkPlanCheck } from "@/server/contract/plan/fork-run";
import type { PlanOp } from "@/server/contract/plan/op";

export type ForkCheck = {
  /** Of the last answer; null = none yet. */
  answer: ForkPlanCheck | null;
  byPlace: ReadonlyMap<string, ForkedPlace>;
  /** The plan has changed since. */
  isOld: boolean;
  failure: string | null;
};

const REST_MS = 250;
const notAsked: ForkCheck = { answer: null, byPlace: new Map(), isOld: false, failure: null };

/** `asked` null = no fork is meant. */
export function useForkCheck(
  projectId: string,
  planRunId: string,
  asked: { ops: readonly PlanOp[]; force: readonly string[] } | null,
): ForkCheck {
  const client = useTRPCClient();
  const [last, setLast] = useState<{ of: unknown; answer: ForkPlanCheck } | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    if (asked === null) return;
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(() => {
      const input = { project_id: projectId, plan_run_id: planRunId, ops: [...asked.ops], force: [...asked.force] };
      client.plan_run.preview_fork.mutate(input, { signal }).then(
        (answer) => {
          if (signal.aborted) return;
          setFailure(null);
          setLast({ of: asked, answer });
        },
        (error: unknown) => {
          if (!signal.aborted) setFailure(error instanceof Error ? error.message : String(error));
        },
      );
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [client, projectId, planRunId, asked]);
  if (asked === null) return notAsked;
  const answer = last?.answer ?? null;
  const byPlace = new Map((answer?.places ?? []).map((one) => [one.place, one]));
  return { answer, byPlace, isOld: last?.of !== asked, failure };
}
