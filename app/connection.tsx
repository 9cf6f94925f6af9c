"use client";

// Whether server and database answer, asked every few seconds: the pages may be quiet while nothing works behind them.
import { useQuery } from "@tanstack/react-query";
import { pace, useReadAgain } from "@/components/domain/use-read-again";
import { ConnectionBanner } from "@/components/shell/connection-banner";
import { useTRPC } from "@/components/trpc/client";

export function Connection() {
  const trpc = useTRPC();
  const again = useReadAgain(pace.often);
  const asked = useQuery(trpc.health.get.queryOptions(undefined, { ...again, retry: false }));
  const { data, error, isFetching, refetch } = asked;
  const answer =
    data?.status === "down" ? "database_away" : data?.writes?.status === "waiting" ? "writes_wait" : "live";
  const askedAt = Math.max(asked.dataUpdatedAt, asked.errorUpdatedAt);
  return (
    <ConnectionBanner
      state={error !== null ? "server_away" : answer}
      retryAt={isFetching ? null : askedAt + (again.refetchInterval({ state: asked }) || 0)}
      onRetry={() => void refetch()}
    />
  );
}
