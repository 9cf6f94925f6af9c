"use client";

// The kernel's dry run of a form: requested when typing pauses, discarded when the form has changed.
import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useReadAgain } from "@/components/domain/use-read-again";

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
export function useDryRun<Call extends object, Answer>(
  kind: string,
  projectId: string,
  call: Call | null,
  againMs: number | false,
  ask: (call: Call, signal: AbortSignal) => Promise<Answer>,
): Preview<Answer> {
  const settled = useRested(call);
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery({
    // An instruction may be a megabyte: the key names it, it does not hold it.
    queryKey: ["dry-run", kind, projectId, numberOf(settled)],
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

function useRested<Call extends object>(call: Call | null): Call | null {
  const [rested, setRested] = useState(call);
  useEffect(() => {
    const timer = setTimeout(() => setRested(call), RESTS_MS);
    return () => clearTimeout(timer);
  }, [call]);
  // Clear at once: an answer to an earlier input must not stay on the screen.
  return call === null ? null : rested;
}

const numbers = new WeakMap<object, number>();
let last = 0;

function numberOf(call: object | null): number {
  if (call === null) return 0;
  const known = numbers.get(call);
  if (known !== undefined) return known;
  last += 1;
  numbers.set(call, last);
  return last;
}
