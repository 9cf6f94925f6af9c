"use client";

// The strap that ties the shortcut list to the page: one listener, one list, layers for dialogs.
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useId,
  useState,
  useSyncExternalStore,
} from "react";
import type { KeyPress } from "./shortcut-keys";
import { createShortcutStore, type PressPlace, type Shortcut, type ShortcutStore } from "./shortcut-store";
import { useIsApple } from "./use-is-apple";

export type ShortcutOptions = {
  /** Heading in the help sheet. */
  group?: string;
  /** A shortcut that cannot act now is not registered, and so is not in the help either. */
  isEnabled?: boolean;
  isWhileTyping?: boolean;
};

export function ShortcutsProvider({ children }: { children: ReactNode }) {
  const [store] = useState(createShortcutStore);
  const isApple = useIsApple();
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || event.isComposing) return;
      if (store.press(event, placeOf(event.target), isApple, event.timeStamp)) event.preventDefault();
    }
    // On window, behind React's own listeners: a control that has used the key has said so by then.
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [store, isApple]);
  return <StoreContext value={store}>{children}</StoreContext>;
}

/** Registers a shortcut for as long as the calling component is on the page. */
export function useShortcut(
  keys: string | readonly string[],
  label: string,
  run: (press: KeyPress) => void,
  { group = "Everywhere", isEnabled = true, isWhileTyping = false }: ShortcutOptions = {},
): void {
  const store = useStore();
  const layer = useContext(LayerContext);
  const onPress = useEffectEvent(run);
  const spelling = typeof keys === "string" ? keys : keys.join("\n");
  useEffect(() => {
    if (!isEnabled) return;
    return store.add(
      { keys: spelling.split("\n"), label, group, isWhileTyping, run: (press) => onPress(press) },
      layer,
    );
  }, [store, layer, spelling, label, group, isEnabled, isWhileTyping]);
}

/** Everything registered now, for the help sheet. */
export function useShortcutList(): readonly Shortcut[] {
  const store = useStore();
  return useSyncExternalStore(store.subscribe, store.list, none);
}

/** Around the content of a dialog: while it is on the page only shortcuts from inside it fire. */
export function ShortcutLayer({ children }: { children: ReactNode }) {
  const store = useStore();
  const id = useId();
  useEffect(() => store.pushLayer(id), [store, id]);
  return <LayerContext value={id}>{children}</LayerContext>;
}

const StoreContext = createContext<ShortcutStore | null>(null);
const LayerContext = createContext("");
const noShortcuts: readonly Shortcut[] = [];

function none(): readonly Shortcut[] {
  return noShortcuts;
}

function useStore(): ShortcutStore {
  const store = useContext(StoreContext);
  if (store === null) throw new Error("Shortcuts need <ShortcutsProvider> above them; app/providers.tsx has it.");
  return store;
}

function placeOf(target: EventTarget | null): PressPlace {
  if (!(target instanceof Element)) return { isTyping: false, isOnControl: false, isInList: false };
  const isEditable = target instanceof HTMLElement && target.isContentEditable;
  return {
    isTyping: isEditable || target.matches(typingPlaces),
    isOnControl: target.closest("button, a[href], summary, [role=button], [role=checkbox], [role=switch]") !== null,
    isInList: target.closest("[role=menu], [role=listbox]") !== null,
  };
}

const typingPlaces =
  "textarea, select, input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=range], [type=file])";
