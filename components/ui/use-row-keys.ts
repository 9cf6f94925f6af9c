"use client";

// j and k walk the links of a list, wherever the focus is; the list itself stays a list of links.
import { type RefObject, useCallback } from "react";
import { useShortcut } from "./shortcuts";

/**
 * `list` holds links or buttons marked with `data-row`. `field`, where words are typed that change the list: the arrow down leads out of
 * it to the first row, and the arrow up from there back into it. `k` does not: pressed once more, it would be typed.
 */
export function useRowKeys(
  list: RefObject<HTMLElement | null>,
  group: string,
  what: string,
  field?: () => HTMLElement | null | undefined,
): void {
  const move = useCallback(
    (step: 1 | -1, above?: HTMLElement | null) => {
      const rows = [...(list.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
      const at = rows.indexOf(document.activeElement as HTMLElement);
      const next = at < 0 ? (step === 1 ? rows[0] : rows.at(-1)) : at + step < 0 ? above : rows[at + step];
      next?.focus();
      next?.scrollIntoView({ block: "nearest" });
    },
    [list],
  );
  useShortcut(["j", "down"], `Next ${what}`, () => move(1), { group });
  useShortcut(["k", "up"], `Previous ${what}`, (press) => move(-1, press.key === "ArrowUp" ? field?.() : undefined), {
    group,
  });
  // Without it what was found was 23 presses of Tab away from the field.
  useShortcut("down", `From the field to the first ${what}`, () => move(1), {
    group,
    isEnabled: field !== undefined,
    isWhileTyping: true,
  });
}
