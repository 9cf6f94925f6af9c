"use client";

// A page that is a list: filters above; below them what is on its way, why it cannot be shown, that there is nothing, or the rows.
import { type ReactNode, useRef } from "react";
import { Button } from "@/components/ui/button";
import { ListRows, type ListRowsProps } from "@/components/ui/list-rows";
import { ListSkeleton } from "@/components/ui/skeleton";
import { useTabTitle } from "@/components/ui/tab-title";
import { useFilterKey } from "@/components/ui/use-filter-key";
import { Failure } from "./failure";

/** Of a list by pages: one of a large project may have looked at many rows, and have none to show. */
type Further = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };

export type ListFrameProps<Item> = Omit<ListRowsProps, "group" | "className" | "children" | "isBusy"> & {
  /** "Cards" */
  title: string;
  /** "list of cards" */
  what: string;
  filters: ReactNode;
  /** Undefined until they are known. */
  items: readonly Item[] | undefined;
  /** What an earlier question answered stays while the next is asked; that it had none says nothing of this one. */
  query: { error: { message: string } | null; refetch: () => unknown; isPlaceholderData?: boolean } & Partial<Further>;
  /** Height of a row, so that nothing moves when they come. */
  rowHeight: number;
  /** In place of the list: what was asked cannot be answered. */
  instead?: ReactNode;
  /** What is shown where there are none. */
  none: ReactNode;
  /** Rows, and their foot. */
  children: (items: readonly Item[]) => ReactNode;
};

export function ListFrame<Item>({
  title,
  what,
  filters,
  items,
  query,
  rowHeight,
  instead,
  none,
  children,
  ...rows
}: ListFrameProps<Item>) {
  useTabTitle(title);
  const bar = useRef<HTMLElement>(null);
  // A page without a field to type into has its choices there.
  useFilterKey(() => bar.current?.querySelector<HTMLElement>("input[type=search], button"));
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <h1 className="sr-only">{title}</h1>
      <search ref={bar} className="filter-bar">
        {filters}
      </search>
      {instead !== undefined ? (
        instead
      ) : items === undefined || (items.length === 0 && query.isPlaceholderData) ? (
        query.error ? (
          <Failure error={query.error} what={what} onRetry={query.refetch} />
        ) : (
          <ListSkeleton what={what} rowHeight={rowHeight} />
        )
      ) : items.length === 0 ? (
        query.hasNextPage ? (
          <NoneYet {...query} />
        ) : (
          none
        )
      ) : (
        <ListRows {...rows} group={title} isBusy={query.isPlaceholderData} className="min-h-0 flex-1 overflow-y-auto">
          {children(items)}
        </ListRows>
      )}
    </div>
  );
}

function NoneYet({ isFetchingNextPage, fetchNextPage }: Partial<Further>) {
  return (
    <p className="flex flex-wrap items-center gap-3 px-4 py-3 text-ink-3">
      None among the newest so far.
      <Button size="sm" disabled={isFetchingNextPage} onClick={() => void fetchNextPage?.()}>
        {isFetchingNextPage ? "Looking" : "Look at older ones"}
      </Button>
    </p>
  );
}
