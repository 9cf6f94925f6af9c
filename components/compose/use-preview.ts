"use client";

// The kernel's dry run of the form: requested when typing pauses, discarded when the form has changed.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { pace, useReadAgain } from "@/components/domain/use-read-again";
import { useTRPCClient } from "@/components/trpc/client";
import type { LaunchPreview, LaunchPreviewLines } from "@/server/contract/delegation";

export type LaunchArgs = {
  target_strategy: string;
  target_ref: string;
  instruction: string;
  context_box_id?: string[];
  context_card_ids?: string[];
};

export type Preview<Answer> = {
  /** The last answer; it may speak of the form a moment ago (`isStale`). */
  answer: Answer | undefined;
  isStale: boolean;
  /** The server could not be asked. */
  error: string | null;
  retry: () => void;
};

const RESTS_MS = 250;

/** `args` must keep its identity while nothing changes; null asks nothing. */
export function usePreview(projectId: string, args: LaunchArgs | null): Preview<LaunchPreviewLines> {
  const client = useTRPCClient();
  // A worker may come up, or the agent's queue move, while the form is open.
  return useDryRun("lines", projectId, args, pace.seldom, (input, signal) =>
    client.delegation.preview.mutate(input, { signal }),
  );
}

/** Every text of the first request: as large as what is handed over, so it is asked for once it is looked at. */
export function useTranscript(projectId: string, args: LaunchArgs | null): Preview<LaunchPreview> {
  const client = useTRPCClient();
  return useDryRun("transcript", projectId, args, false, (input, signal) =>
    client.delegation.transcript.mutate(input, { signal }),
  );
}

type DryRunInput = { project_id: string; tool: "delegate_async"; args: LaunchArgs | null };

function useDryRun<Answer>(
  kind: string,
  projectId: string,
  args: LaunchArgs | null,
  againMs: number | false,
  ask: (input: DryRunInput, signal: AbortSignal) => Promise<Answer>,
): Preview<Answer> {
  const settled = useRested(args);
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery({
    // An instruction may be a megabyte: the key names it, it does not hold it.
    queryKey: ["launch-preview", kind, projectId, numberOf(settled)],
    queryFn: ({ signal }) => ask({ project_id: projectId, tool: "delegate_async", args: settled }, signal),
    enabled: settled !== null,
    placeholderData: settled === null ? undefined : keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    ...useReadAgain(againMs),
  });
  return {
    answer: settled === null ? undefined : data,
    isStale: settled !== args || isPlaceholderData || (isFetching && data === undefined),
    error: error === null ? null : error.message,
    retry: () => void refetch(),
  };
}

function useRested(args: LaunchArgs | null): LaunchArgs | null {
  const [rested, setRested] = useState(args);
  useEffect(() => {
    const timer = setTimeout(() => setRested(args), RESTS_MS);
    return () => clearTimeout(timer);
  }, [args]);
  // Clear at once: an answer to an earlier input must not stay on the screen.
  return args === null ? null : rested;
}

const numbers = new WeakMap<LaunchArgs, number>();
let last = 0;

function numberOf(args: LaunchArgs | null): number {
  if (args === null) return 0;
  const known = numbers.get(args);
  if (known !== undefined) return known;
  last += 1;
  numbers.set(args, last);
  return last;
}
