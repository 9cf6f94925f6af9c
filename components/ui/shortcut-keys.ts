// The grammar of a shortcut: "k", "?", "shift+f", "mod+k", "mod+enter", or a sequence "g y".
// mod is ⌘ on an Apple keyboard and Ctrl elsewhere. Pure, so that it is tested without a browser.

export type Chord = { key: string; isMod: boolean; isShift: boolean; isAlt: boolean };

export type KeyPress = {
  key: string;
  metaKey: boolean;
  ctrlKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
};

export function parseKeys(keys: string): Chord[] {
  const chords = keys.trim().split(/\s+/u).map(parseChord);
  if (chords.some((chord) => chord.key === "")) {
    throw new Error(`"${keys}" is not a shortcut: write a key, "mod+key", "shift+key" or a sequence such as "g y".`);
  }
  return chords;
}

export function isChordPressed(chord: Chord, press: KeyPress, isApple: boolean): boolean {
  const mod = isApple ? press.metaKey : press.ctrlKey;
  const otherMod = isApple ? press.ctrlKey : press.metaKey;
  if (mod !== chord.isMod || otherMod || press.altKey !== chord.isAlt) return false;
  if (press.key.toLowerCase() !== chord.key) return false;
  // A printed sign such as ? already says which keys make it; on some keyboards it needs Shift and on others not.
  return isLetterOrName(chord.key) ? press.shiftKey === chord.isShift : true;
}

/** How far the presses so far have come along a shortcut. */
export function matchPresses(
  chords: readonly Chord[],
  presses: readonly KeyPress[],
  isApple: boolean,
): "none" | "partial" | "complete" {
  if (presses.length > chords.length) return "none";
  for (const [index, press] of presses.entries()) {
    const chord = chords[index];
    if (chord === undefined || !isChordPressed(chord, press, isApple)) return "none";
  }
  return presses.length === chords.length ? "complete" : "partial";
}

/** What is printed on the keys, in order: ["⌘", "K"], ["Ctrl", "K"], ["G", "Y"]. */
export function keyCaps(keys: string, isApple: boolean): string[] {
  return parseKeys(keys).flatMap((chord) => [
    ...(chord.isMod ? [isApple ? "⌘" : "Ctrl"] : []),
    ...(chord.isAlt ? [isApple ? "⌥" : "Alt"] : []),
    ...(chord.isShift ? ["⇧"] : []),
    capNames[chord.key] ?? chord.key.toUpperCase(),
  ]);
}

/** "mod+k" as aria-keyshortcuts wants it: "Control+K". */
export function ariaKeys(keys: string, isApple: boolean): string | undefined {
  const chords = parseKeys(keys);
  const [chord] = chords;
  if (chord === undefined || chords.length > 1) return undefined;
  return [
    ...(chord.isMod ? [isApple ? "Meta" : "Control"] : []),
    ...(chord.isAlt ? ["Alt"] : []),
    ...(chord.isShift ? ["Shift"] : []),
    chord.key.length === 1 ? chord.key.toUpperCase() : chord.key.charAt(0).toUpperCase() + chord.key.slice(1),
  ].join("+");
}

const capNames: Record<string, string> = {
  enter: "↵",
  escape: "esc",
  arrowup: "↑",
  arrowdown: "↓",
  arrowleft: "←",
  arrowright: "→",
  " ": "Space",
  backspace: "⌫",
  tab: "Tab",
};

const keyNames: Record<string, string> = {
  esc: "escape",
  space: " ",
  up: "arrowup",
  down: "arrowdown",
  left: "arrowleft",
  right: "arrowright",
  plus: "+",
};

function parseChord(text: string): Chord {
  const parts = text === "+" ? ["plus"] : text.toLowerCase().split("+");
  const name = parts.pop() ?? "";
  const unknown = parts.find((part) => part !== "mod" && part !== "shift" && part !== "alt");
  const isKnown = unknown === undefined;
  return {
    key: isKnown ? (keyNames[name] ?? name) : "",
    isMod: parts.includes("mod"),
    isShift: parts.includes("shift"),
    isAlt: parts.includes("alt"),
  };
}

function isLetterOrName(key: string): boolean {
  return key.length > 1 || key === " " || /\p{L}/u.test(key);
}
