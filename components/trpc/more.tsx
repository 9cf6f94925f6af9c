"use client";

// The foot of a list that comes by pages: what is shown, and the way to the rest.
import { Button } from "@/components/ui/button";
import { formatNumber } from "@/components/ui/format";

export type MoreProps = {
  shown: number;
  /** "cards" */
  what: string;
  hasMore: boolean;
  isLoading: boolean;
  error: string | null;
  onMore: () => unknown;
};

export function More({ shown, what, hasMore, isLoading, error, onMore }: MoreProps) {
  if (!hasMore && error === null)
    return (
      <p className="px-4 py-3 text-ink-3">
        {formatNumber(shown)} {what}, all of them.
      </p>
    );
  return (
    <p className="flex flex-wrap items-center gap-3 px-4 py-3 text-ink-3">
      {formatNumber(shown)} {what} so far, the newest.
      {error === null ? null : <span className="text-st-failed">{error}</span>}
      <Button size="sm" disabled={isLoading} onClick={() => void onMore()}>
        {isLoading ? "Loading" : error === null ? "Show older ones" : "Try again"}
      </Button>
    </p>
  );
}
