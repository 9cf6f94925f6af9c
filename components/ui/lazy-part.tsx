"use client";

// A part of a page that first sight does not need: its code is fetched when it is first drawn, or before, while the page
// rests. The yard once loaded 492 kB of code, two thirds of it for dialogs, menus and texts that were not open.
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect } from "react";
import { MissingPart } from "./missing-part";
import { useIsAtRest } from "./use-is-at-rest";

type Load<Props> = () => Promise<ComponentType<Props>>;

export type PartWords<Props> = {
  /** "Search could not be loaded". Without it nothing is said: for what only adds to the page. */
  missing?: string;
  /** Stands in its place meanwhile, at its size, so that nothing moves when it comes. */
  waiting?: ReactNode | ((props: Props) => ReactNode);
};

/** `load` is a constant of the module. A failed fetch is remembered by the bundler: the remedy is to load the page again. */
export function lazyPart<Props extends object>(load: Load<Props>, words: PartWords<Props> = {}): ComponentType<Props> {
  const { missing, waiting = null } = words;
  const Part = lazy(() =>
    load().then(
      (Component) => ({ default: Component }),
      () => ({ default: absent<Props>(missing) }),
    ),
  );
  return (props) => (
    <Suspense fallback={typeof waiting === "function" ? waiting(props) : waiting}>
      <Part {...props} />
    </Suspense>
  );
}

const absent =
  <Props,>(missing: string | undefined): ComponentType<Props> =>
  () =>
    missing === undefined ? null : <MissingPart title={missing} />;

/** Fetched once the page is drawn and the browser is idle; `loads` is a constant of the module. */
export function useFetchAtRest(loads: readonly (() => Promise<unknown>)[]): void {
  const isAtRest = useIsAtRest();
  useEffect(() => {
    if (!isAtRest || !navigator.onLine) return;
    // Drawn later it says itself that it is missing.
    for (const load of loads) void load().catch(() => undefined);
  }, [isAtRest, loads]);
}
