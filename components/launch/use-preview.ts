"use client";

// The dry runs of a launch: one task card by card, all tasks of a fork, one task as text.
import { pace } from "@/components/domain/use-read-again";
import { useTRPCClient } from "@/components/trpc/client";
import type { ForkPreview, LaunchPreview, LaunchPreviewLines } from "@/server/contract/delegation";
import type { LaunchCall } from "./launch-form";
import { type Preview, useDryRun } from "./use-dry-run";

/** `call` must keep its identity while nothing changes; null asks nothing. */
export function usePreview(projectId: string, call: LaunchCall | null): Preview<LaunchPreviewLines> {
  const client = useTRPCClient();
  // A worker may come up, or the agent's queue move, while the form is open.
  return useDryRun("lines", projectId, call, pace.seldom, ({ args }, signal) =>
    client.delegation.preview.mutate({ project_id: projectId, tool: "delegate_async", args }, { signal }),
  );
}

/** Every task of a fork, without texts. */
export function useForkPreview(projectId: string, call: LaunchCall | null): Preview<ForkPreview> {
  const client = useTRPCClient();
  return useDryRun("tasks", projectId, call, pace.seldom, ({ args }, signal) =>
    client.delegation.previewFork.mutate({ project_id: projectId, tool: "fork_join", args }, { signal }),
  );
}

/** Every text of the first request: as large as what is handed over, so it is asked for once it is looked at. */
export function useTranscript(projectId: string, call: LaunchCall | null): Preview<LaunchPreview> {
  const client = useTRPCClient();
  return useDryRun("transcript", projectId, call, false, ({ args }, signal) =>
    client.delegation.transcript.mutate({ project_id: projectId, tool: "delegate_async", args }, { signal }),
  );
}
