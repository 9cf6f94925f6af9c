"use client";

// The kernel's dry run of a hand-over that was made, once typing pauses. The last answer stays while the next one is on its way.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTRPCClient } from "@/components/trpc/client";
import { useRested } from "@/components/ui/use-rested";
import type { Repack, RepackBody } from "@/server/contract/repack";

type Asked = RepackBody & { project_id: string; agent_turn_id: string };
type Packed = { answer: Repack | undefined; isStale: boolean; error: string | null; retry: () => void };

export function useRepack(asked: Asked): Packed {
  const client = useTRPCClient();
  const now = JSON.stringify(asked);
  const rested = useRested(now);
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ["repack", rested],
    queryFn: ({ signal }) => client.debugger.repack.mutate(JSON.parse(rested) as Asked, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  return {
    answer: data,
    isStale: rested !== now || isPlaceholderData,
    error: error === null ? null : error.message,
    retry: () => void refetch(),
  };
}
