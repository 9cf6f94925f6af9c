"use client";

// The cards of a box as a list that is drawn a screenful at a time, with the ruler beside it. The listbox keeps the focus
// and names the active row, so that scrolling 10,000 rows never loses it.
import { useVirtualizer } from "@tanstack/react-virtual";
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { Button } from "@/components/ui/button";
import { formatNumber, formatPercent } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import type { BoxSheet, BoxWeights } from "@/server/contract/line";
import { CardRow } from "./card-row";
import type { LineStore } from "./line-store";
import { Ruler } from "./ruler";
import { useLines } from "./use-lines";

export const rowHeight = 68;
const listHeadHeight = 34;
/** What the list is taken to be until it has been measured. */
const firstRect = { width: 420, height: 760 };

export type CardListProps = {
  boxId: string;
  weights: BoxWeights;
  /** `sums[i]` = tokens in front of place i. */
  sums: readonly number[];
  /** Places in the order shown; null for reading order. */
  order: readonly number[] | null;
  store: LineStore;
  origins: BoxSheet["origins"];
  mistakes: ReadonlySet<string>;
  /** The place that is shown, chosen or not. */
  selected: number | null;
  onSelect: (position: number) => void;
  onOpen: () => void;
  /** The chosen places; null while no choosing goes on. */
  picked: ReadonlyMap<number, string> | null;
  onToggle: (position: number) => void;
  /** Below the rows: what can be done with chosen cards, and what was left out. */
  foot?: ReactNode;
};

export function CardList(props: CardListProps) {
  const { boxId, weights, sums, order, store, origins, mistakes, selected, onSelect, onOpen, foot } = props;
  const { picked, onToggle } = props;
  const count = weights.tokens.length;
  const total = sums.at(-1) ?? 0;
  const scroller = useRef<HTMLDivElement>(null);
  const [lit, setLit] = useState<number | null>(null);
  const index = selected === null ? -1 : order === null ? selected : order.indexOf(selected);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 6,
    initialRect: firstRect,
    // A link to the 4,321st card opens there, on the server's markup too.
    initialOffset: () => scrollTopFor(Math.max(0, index), 0, firstRect.height, true),
  });
  const items = virtual.getVirtualItems();
  const shares = useMemo(() => sharesOf(order, weights.tokens), [order, weights.tokens]);
  const placeOf = (index: number) => order?.[index] ?? index;
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? -1;
  const positions = useMemo(() => wantedPlaces(order, first, last, count), [order, first, last, count]);
  useLines(store, positions);

  const seen = useRef(selected);
  useLayoutEffect(() => {
    const element = scroller.current;
    // Only a new choice moves the list; growth and a change of order leave it where the reader has put it.
    if (element === null || selected === null || selected === seen.current || index < 0 || index >= count) return;
    element.scrollTop = scrollTopFor(index, element.scrollTop, element.clientHeight, seen.current === null);
    seen.current = selected;
  }, [selected, index, count]);

  function onKeyDown(event: KeyboardEvent) {
    const next = nextIndex(
      event.key,
      index,
      count,
      Math.max(1, Math.floor((virtual.scrollRect?.height ?? 0) / rowHeight)),
    );
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key === " " && picked !== null && selected !== null) onToggle(selected);
    else if (event.key === "Enter") onOpen();
    else if (next === null) return;
    else onSelect(placeOf(next));
    event.preventDefault();
  }

  const offset = virtual.scrollOffset ?? 0;
  const height = useHeight(scroller);
  return (
    <div className="box-list">
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="flex h-[34px] flex-none items-center gap-2 border-line border-b pr-3 pl-4 text-ink-3 text-note">
          <span className="w-[26px]">#</span>
          <span className="flex-1">{order === null ? "Card, in reading order" : "Card, by weight"}</span>
          <span>{order === null ? "Tokens, and up to here" : "Tokens, and share up to here"}</span>
        </div>
        {store.error() === null ? null : <ListError message={store.error()?.message ?? ""} onRetry={store.retry} />}
        <div
          ref={scroller}
          role="listbox"
          aria-label="Cards"
          aria-multiselectable={picked === null ? undefined : true}
          tabIndex={0}
          aria-activedescendant={index >= first && index <= last ? rowId(boxId, placeOf(index)) : undefined}
          className="box-rows"
          style={{ "--place": `${24 + 6.7 * formatNumber(count).length}px` } as CSSProperties}
          onKeyDown={onKeyDown}
        >
          <div role="presentation" style={{ height: virtual.getTotalSize() }}>
            {items.map((item) => {
              const position = placeOf(item.index);
              const upTo = sums[position + 1] ?? 0;
              return (
                <CardRow
                  key={position}
                  id={rowId(boxId, position)}
                  line={store.get(position)}
                  position={position}
                  count={count}
                  top={item.start}
                  height={rowHeight}
                  isSelected={position === selected}
                  upTo={shares === null ? formatNumber(upTo) : formatPercent(shares[item.index] ?? 0, total)}
                  isMistake={mistakes.has(store.get(position)?.card_id ?? "")}
                  origins={origins}
                  isPicked={picked === null ? null : picked.has(position)}
                  onPick={picked === null ? onSelect : onToggle}
                  onPoint={setLit}
                />
              );
            })}
          </div>
        </div>
        {foot}
      </div>
      <Ruler
        roles={weights.roles}
        tokens={weights.tokens}
        sums={sums}
        height={listHeadHeight + height}
        top={listHeadHeight}
        rows={items
          .map((item) => ({
            position: placeOf(item.index),
            top: listHeadHeight + item.start - offset,
            bottom: listHeadHeight + item.end - offset,
          }))
          .filter((row) => row.bottom > listHeadHeight && row.top < listHeadHeight + height)}
        selected={selected}
        lit={lit}
        onPick={onSelect}
      />
    </div>
  );
}

function ListError({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <div role="alert" className="flex flex-none items-center gap-2 bg-wash-fail px-4 py-1.5">
      <Icon name="offline" size={14} className="text-st-failed" />
      <span className="min-w-0 flex-1">{message}</span>
      <Button size="sm" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}

const rowId = (boxId: string, position: number) => `card-${boxId}-${position}`;

/** Where a key leads from `index`; null for keys that are not the list's. */
export function nextIndex(key: string, index: number, count: number, page: number): number | null {
  const steps: Record<string, number> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1, PageDown: page, PageUp: -page };
  if (count === 0) return null;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  const step = steps[key];
  return step === undefined ? null : Math.min(count - 1, Math.max(0, index + step));
}

/** Rows have one height, so this needs no measuring. The first time the row is put in the middle, later only into view. */
export function scrollTopFor(index: number, scrollTop: number, height: number, isFirst: boolean): number {
  const top = index * rowHeight;
  const bottom = top + rowHeight;
  if (top >= scrollTop && bottom <= scrollTop + height) return scrollTop;
  if (isFirst) return Math.max(0, top - (height - rowHeight) / 2);
  return top < scrollTop ? top : bottom - height;
}

/** Asked for in stretches of 32, so that a row more in view is not a request more. */
function wantedPlaces(order: readonly number[] | null, first: number, last: number, count: number): number[] {
  const from = Math.floor(first / 32) * 32;
  const to = Math.min(count, Math.ceil((last + 1) / 32) * 32);
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => order?.[from + i] ?? from + i);
}

/** Sorted by weight: tokens of this card and of all that are heavier. */
function sharesOf(order: readonly number[] | null, tokens: readonly number[]): number[] | null {
  if (order === null) return null;
  let sum = 0;
  return order.map((position) => {
    sum += tokens[position] ?? 0;
    return sum;
  });
}

/** The rows' own height: the ruler is drawn to it. */
function useHeight(ref: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const observer = new ResizeObserver(([entry]) => setHeight(entry?.contentRect.height ?? 0));
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return height;
}
