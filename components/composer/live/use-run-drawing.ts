"use client";

// The run of what was drawn: read once, and again whenever frames say that something of it has changed.
import { useQuery } from "@tanstack/react-query";
import { useLive } from "@/components/domain/use-live";
import { useTRPC } from "@/components/trpc/client";
import type { RunDrawing } from "@/server/contract/plan/run-drawing";

export function useRunDrawing(
  projectId: string,
  root: string | null,
): { drawing: RunDrawing | null; error: string | null } {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.plan_run.drawing.queryOptions({ project_id: projectId, root_turn_id: root ?? "" }, { enabled: root !== null }),
  );
  const drawing = root === null ? null : (query.data ?? null);
  const planRunId = drawing?.run.plan_run_id;
  useLive({
    projectId,
    cursor: drawing?.live_cursor,
    isMine: (frame) =>
      (frame.kind === "plan_node" && frame.plan_run_id === planRunId) ||
      // Who has arrived at a gate, and who came late.
      (frame.kind === "batch" && frame.plan_run_id === planRunId) ||
      (frame.kind === "plan_run" && frame.plan_run_id === planRunId) ||
      (frame.kind === "turn" && frame.root_turn_id === root),
    read: async () => (root === null ? undefined : (await query.refetch()).data?.live_cursor),
  });
  return { drawing, error: root === null ? null : (query.error?.message ?? null) };
}
