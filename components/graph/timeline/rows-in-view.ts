"use client";

// Which rows of a list are in sight, where each is as high as the next. The library that lists of unequal rows need is 10 kB
// that the yard had to wait for.
import { type RefObject, useCallback, useEffect, useState } from "react";

const OVERSCAN = 12;

export type RowsInView = { from: number; to: number; reveal: (index: number) => void };

/** From `from` up to and without `to`. */
export function useRowsInView(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
  /** Of what stays above the rows while they scroll. */
  headHeight = 0,
): RowsInView {
  const [{ first, shown }, setSeen] = useState({ first: 0, shown: 0 });
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = () => {
      const next = seenRows(element.scrollTop, element.clientHeight, rowHeight);
      setSeen((known) => (known.first === next.first && known.shown === next.shown ? known : next));
    };
    const size = new ResizeObserver(look);
    size.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      size.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [scroller, rowHeight]);
  const reveal = useCallback(
    (index: number) => {
      const element = scroller.current;
      if (element)
        element.scrollTop = scrolledTo(index, rowHeight, element.scrollTop, element.clientHeight - headHeight);
    },
    [scroller, rowHeight, headHeight],
  );
  return { ...drawnRows(first, shown, count), reveal };
}

export function seenRows(scrollTop: number, height: number, rowHeight: number): { first: number; shown: number } {
  return { first: Math.floor(scrollTop / rowHeight), shown: height === 0 ? 0 : Math.ceil(height / rowHeight) + 1 };
}

/** Nothing before the list has a height. */
export function drawnRows(first: number, shown: number, count: number): { from: number; to: number } {
  if (shown === 0) return { from: 0, to: 0 };
  const to = Math.min(count, first + shown + OVERSCAN);
  return { from: Math.max(0, Math.min(first, count - shown) - OVERSCAN), to };
}

/** No further than needed: a row in sight stays where it is. */
export function scrolledTo(index: number, rowHeight: number, scrollTop: number, height: number): number {
  const top = index * rowHeight;
  return Math.min(top, Math.max(scrollTop, top + rowHeight - height));
}
