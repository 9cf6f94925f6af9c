"use client";

// The kernel's dry run of the form: requested when typing pauses, discarded when the form has changed.
import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { pace, useReadAgain } from "@/components/domain/use-read-again";
import { useTRPCClient } from "@/components/trpc/client";
import type { ForkPreview, LaunchPreview, LaunchPreviewLines } from "@/server/contract/delegation";
import type { LaunchCall } from "./launch-form";

export type Preview<Answer> = {
  /** The last answer; it may speak of the form a moment ago (`isStale`). */
  answer: Answer | undefined;
  isStale: boolean;
  /** The server could not be asked. */
  error: string | null;
  retry: () => void;
};

const RESTS_MS = 250;

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

function useDryRun<Answer>(
  kind: string,
  projectId: string,
  call: LaunchCall | null,
  againMs: number | false,
  ask: (call: LaunchCall, signal: AbortSignal) => Promise<Answer>,
): Preview<Answer> {
  const settled = useRested(call);
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery({
    // An instruction may be a megabyte: the key names it, it does not hold it.
    queryKey: ["launch-preview", kind, projectId, numberOf(settled)],
    queryFn: settled === null ? skipToken : ({ signal }) => ask(settled, signal),
    placeholderData: settled === null ? undefined : keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    ...useReadAgain(againMs),
  });
  return {
    answer: settled === null ? undefined : data,
    isStale: settled !== call || isPlaceholderData || (isFetching && data === undefined),
    error: error === null ? null : error.message,
    retry: () => void refetch(),
  };
}

function useRested(call: LaunchCall | null): LaunchCall | null {
  const [rested, setRested] = useState(call);
  useEffect(() => {
    const timer = setTimeout(() => setRested(call), RESTS_MS);
    return () => clearTimeout(timer);
  }, [call]);
  // Clear at once: an answer to an earlier input must not stay on the screen.
  return call === null ? null : rested;
}

const numbers = new WeakMap<LaunchCall, number>();
let last = 0;

function numberOf(call: LaunchCall | null): number {
  if (call === null) return 0;
  const known = numbers.get(call);
  if (known !== undefined) return known;
  last += 1;
  numbers.set(call, last);
  return last;
}
