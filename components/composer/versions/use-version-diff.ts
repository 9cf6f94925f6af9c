"use client";

// The drawing beside a version that was published: read once, since a version never changes.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTRPC } from "@/components/trpc/client";
import { PlanShape } from "@/server/contract/plan/plan";
import type { DrawingStore } from "../draft/drawing-store";
import { usePick } from "../small-store";
import { type VersionDiff, versionDiff } from "./version-diff";

export type Beside = { version: number; diff: VersionDiff | null; error: string | null };

/** `version` null = nothing is compared. */
export function useVersionDiff(
  projectId: string,
  plan: string | undefined,
  version: number | null,
  store: DrawingStore,
): Beside | null {
  const trpc = useTRPC();
  const isAsked = plan !== undefined && version !== null;
  const { data, error } = useQuery(
    trpc.plan.drawing.queryOptions(
      { project_id: projectId, plan: plan ?? "", version: version ?? 1 },
      { enabled: isAsked, staleTime: Number.POSITIVE_INFINITY, retry: false },
    ),
  );
  const before = data?.version;
  const drawn = usePick(store, (state) => (isAsked ? state.plan : null));
  const diff = useMemo(
    () => (before && drawn ? versionDiff(PlanShape.parse({ ...before.body, layout: before.layout }), drawn) : null),
    [before, drawn],
  );
  // Of a version that was never made the newest is answered.
  return isAsked ? { version: before?.version ?? version, diff, error: error?.message ?? null } : null;
}
