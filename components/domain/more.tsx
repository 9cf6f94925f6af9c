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
  /** The list itself, as useInfiniteQuery answers it. */
  list: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    error: { message: string } | null;
    fetchNextPage: () => unknown;
  };
  /** "by cost"; absent = newest first. */
  order?: string;
  /** What the list leaves out, and the way to it. */
  note?: ReactNode;
};

export function More({ shown, one, many, list, order = "newest first", note }: MoreProps) {
  const error = list.isFetchNextPageError ? (list.error?.message ?? null) : null;
  if (!list.hasNextPage && error === null)
    return (
      <p className="px-4 py-3 text-ink-3">
        {formatCount(shown, one, many)}, {shown === 1 ? "the only one" : "all of them"}. {note}
      </p>
    );
  return (
    <p className="flex flex-wrap items-center gap-3 px-4 py-3 text-ink-3">
      {formatCount(shown, one, many)} so far, {order}. {note}
      {error === null ? null : <span className="text-st-failed">{error}</span>}
      <Button size="sm" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {list.isFetchingNextPage
          ? "Loading"
          : error === null
            ? order === "newest first"
              ? "Show older ones"
              : "Show more"
            : "Try again"}
      </Button>
    </p>
  );
}
