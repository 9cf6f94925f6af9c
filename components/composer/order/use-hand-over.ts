"use client";

// One wagon packed dry, card by card, whenever the plan rests. The last answer stays until the next, and is known to be old.
import { useEffect, useState } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import { leanPlan } from "@/server/contract/plan/canonical";
import type { PlaceCheck } from "@/server/contract/plan/kernel-check";
import { useComposer, useDrawn, usePlan } from "../composer-context";
import { checkedInputs } from "../draft/given-inputs";

export type HandOverAsked = {
  /** Null = not answered yet, or refused. */
  check: PlaceCheck | null;
  /** Why it cannot be packed as it is, or why the kernel could not be asked. */
  failure: string | null;
  isOld: boolean;
};

const REST_MS = 200;

export function useHandOver(place: string): HandOverAsked {
  const { projectId } = useComposer();
  const client = useTRPCClient();
  const plan = usePlan();
  const inputs = useDrawn((state) => state.inputs);
  const [last, setLast] = useState<{ of: unknown; check: PlaceCheck | null; failure: string | null } | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(() => {
      const asked = {
        project_id: projectId,
        body: leanPlan(plan),
        detail: "prompt" as const,
        node: place,
        ...checkedInputs(plan, inputs),
      };
      client.plan.check.mutate(asked, { signal }).then(
        ({ nodes, problems }) => {
          if (signal.aborted) return;
          const check = nodes.find((one) => one.place === place) ?? null;
          const error = problems.find(({ severity, at }) => severity === "error" && (at === place || at === ""));
          const failure = check?.hand_over ? null : (error?.message ?? "It cannot be packed as it is.");
          setLast((before) => ({ of: plan, check: check?.hand_over ? check : (before?.check ?? null), failure }));
        },
        (error: unknown) => {
          if (signal.aborted) return;
          const failure = error instanceof Error ? error.message : String(error);
          setLast((before) => ({ of: plan, check: before?.check ?? null, failure }));
        },
      );
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [client, projectId, plan, inputs, place]);
  return { check: last?.check ?? null, failure: last?.failure ?? null, isOld: last?.of !== plan };
}
