"use client";

// Whether server and database answer, asked every few seconds: the pages may be quiet while nothing works behind them.
import { useQuery } from "@tanstack/react-query";
import { ConnectionBanner } from "@/components/shell/connection-banner";
import { useTRPC } from "@/components/trpc/client";

const AGAIN_MS = 5_000;

export function Connection() {
  const trpc = useTRPC();
  const { data, error, dataUpdatedAt, errorUpdatedAt, isFetching, refetch } = useQuery(
    trpc.health.get.queryOptions(undefined, { refetchInterval: AGAIN_MS, retry: false }),
  );
  const answer =
    data?.status === "down" ? "database_away" : data?.writes?.status === "waiting" ? "writes_wait" : "live";
  const asked = Math.max(dataUpdatedAt, errorUpdatedAt);
  return (
    <ConnectionBanner
      state={error !== null ? "server_away" : answer}
      retryAt={isFetching ? null : asked + AGAIN_MS}
      onRetry={() => void refetch()}
    />
  );
}
