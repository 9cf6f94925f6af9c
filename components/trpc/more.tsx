"use client";

// The foot of a list that comes by pages: what is shown, and the way to the rest.
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { formatCount } from "@/components/ui/format";

export type MoreProps = {
  shown: number;
  /** "box", and "boxes" where it is not just an s more. */
  one: string;
  many?: string;
  hasMore: boolean;
  isLoading: boolean;
  error: string | null;
  onMore: () => unknown;
  /** What the list leaves out, and the way to it. */
  note?: ReactNode;
};

export function More({ shown, one, many, hasMore, isLoading, error, onMore, note }: MoreProps) {
  if (!hasMore && error === null)
    return (
      <p className="px-4 py-3 text-ink-3">
        {formatCount(shown, one, many)}, {shown === 1 ? "the only one" : "all of them"}. {note}
      </p>
    );
  return (
    <p className="flex flex-wrap items-center gap-3 px-4 py-3 text-ink-3">
      {formatCount(shown, one, many)} so far, the newest. {note}
      {error === null ? null : <span className="text-st-failed">{error}</span>}
      <Button size="sm" disabled={isLoading} onClick={() => void onMore()}>
        {isLoading ? "Loading" : error === null ? "Show older ones" : "Try again"}
      </Button>
    </p>
  );
}
