"use client";

// The key that goes to the filter, the same on every page that has one.
import { useShortcut } from "./shortcuts";

/** Asked when the key is pressed: what is found then gets the focus, and text in it is selected. */
export function useFilterKey(find: () => HTMLElement | null | undefined): void {
  useShortcut(
    "/",
    "Filter",
    () => {
      const target = find();
      target?.focus();
      if (target instanceof HTMLInputElement) target.select();
    },
    { group: "This page" },
  );
}
