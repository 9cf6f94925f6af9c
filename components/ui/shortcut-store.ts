// The one list of shortcuts that are alive now. What is not on it does not fire, and the help sheet shows exactly it.
import { type Chord, type KeyPress, matchPresses, parseKeys } from "./shortcut-keys";

export type Shortcut = {
  /** "l", "shift+f", "mod+k", "g y"; several spellings of one action are listed together. */
  keys: readonly string[];
  label: string;
  group: string;
  /** Fires in a text field too. Shortcuts with mod always do. */
  isWhileTyping: boolean;
  run: (press: KeyPress) => void;
};

/** Where the press happened: decides what the focused control keeps for itself. */
export type PressPlace = { isTyping: boolean; isOnControl: boolean; isInList: boolean };

export type ShortcutStore = {
  add: (shortcut: Shortcut, layer: string) => () => void;
  /** While a dialog is open only its own shortcuts fire. */
  pushLayer: (layer: string) => () => void;
  list: () => readonly Shortcut[];
  subscribe: (listener: () => void) => () => void;
  /** True when the press was taken and the browser must not act on it. */
  press: (press: KeyPress, place: PressPlace, isApple: boolean, now: number) => boolean;
};

const sequenceMsMax = 1200;

export function createShortcutStore(): ShortcutStore {
  let entries: readonly Entry[] = [];
  let shortcuts: readonly Shortcut[] = [];
  let layers: readonly string[] = [];
  let presses: KeyPress[] = [];
  let lastPressAt = 0;
  const listeners = new Set<() => void>();

  function change(next: readonly Entry[]) {
    entries = next;
    shortcuts = next.map((entry) => entry.shortcut);
    for (const listener of listeners) listener();
  }

  return {
    add(shortcut, layer) {
      const entry: Entry = { shortcut, layer, spellings: shortcut.keys.map(parseKeys) };
      change([...entries, entry]);
      return () => change(entries.filter((other) => other !== entry));
    },
    pushLayer(layer) {
      layers = [...layers, layer];
      presses = [];
      return () => {
        layers = layers.filter((other) => other !== layer);
      };
    },
    list: () => shortcuts,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    press(press, place, isApple, now) {
      if (modifierKeys.has(press.key)) return false;
      if (now - lastPressAt > sequenceMsMax) presses = [];
      lastPressAt = now;
      const isInSequence = presses.length > 0;
      presses = [...presses, press];
      const layer = layers.at(-1) ?? "";
      let isPartial = false;
      // The newest first: what a screen registers may stand in for the shell's own.
      for (const entry of [...entries].reverse()) {
        if (entry.layer !== layer) continue;
        for (const chords of entry.spellings) {
          const match = matchPresses(chords, presses, isApple);
          if (match === "none" || !isAllowed(entry.shortcut, chords, place)) continue;
          if (match === "partial") {
            isPartial = true;
            continue;
          }
          presses = [];
          entry.shortcut.run(press);
          return true;
        }
      }
      if (isPartial) return true;
      presses = [];
      // A wrong second key ends the sequence and does nothing else: "g l" must not launch.
      return isInSequence;
    },
  };
}

type Entry = { shortcut: Shortcut; layer: string; spellings: Chord[][] };

const modifierKeys = new Set(["Shift", "Control", "Alt", "Meta", "CapsLock"]);

function isAllowed(shortcut: Shortcut, chords: readonly Chord[], place: PressPlace): boolean {
  const [chord] = chords;
  if (chord === undefined) return false;
  if (chord.isMod) return true;
  if (place.isTyping) return shortcut.isWhileTyping;
  // A menu finds its items by letter and a list moves by arrow.
  if (place.isInList && chord.key !== "escape") return false;
  // Enter and Space belong to the button that has the focus.
  return !(place.isOnControl && (chord.key === "enter" || chord.key === " "));
}
