import { expect, test } from "vitest";
import { ariaKeys, isChordPressed, type KeyPress, keyCaps, matchPresses, parseKeys } from "./shortcut-keys";

function press(key: string, held: Partial<KeyPress> = {}): KeyPress {
  return { key, metaKey: false, ctrlKey: false, shiftKey: false, altKey: false, ...held };
}

function isPressed(keys: string, pressed: KeyPress, isApple = false): boolean {
  return matchPresses(parseKeys(keys), [pressed], isApple) === "complete";
}

test("mod is ⌘ on an Apple keyboard and Ctrl elsewhere, and never the other one", () => {
  expect(isPressed("mod+k", press("k", { ctrlKey: true }))).toBe(true);
  expect(isPressed("mod+k", press("k", { metaKey: true }))).toBe(false);
  expect(isPressed("mod+k", press("k", { metaKey: true }), true)).toBe(true);
  expect(isPressed("mod+k", press("k", { ctrlKey: true }), true)).toBe(false);
});

test("a single key is not pressed while a modifier is held", () => {
  expect(isPressed("l", press("l"))).toBe(true);
  expect(isPressed("l", press("L"))).toBe(true);
  expect(isPressed("l", press("l", { ctrlKey: true }))).toBe(false);
  expect(isPressed("l", press("l", { altKey: true }))).toBe(false);
  expect(isPressed("f", press("F", { shiftKey: true }))).toBe(false);
  expect(isPressed("shift+f", press("F", { shiftKey: true }))).toBe(true);
});

test("a printed sign is the sign, whichever keys make it", () => {
  expect(isPressed("?", press("?", { shiftKey: true }))).toBe(true);
  expect(isPressed("?", press("?"))).toBe(true);
  expect(isPressed("/", press("/", { shiftKey: true }))).toBe(true);
  expect(isPressed("]", press("]"))).toBe(true);
});

test("named keys", () => {
  expect(isPressed("space", press(" "))).toBe(true);
  expect(isPressed("esc", press("Escape"))).toBe(true);
  expect(isPressed("mod+enter", press("Enter", { ctrlKey: true }))).toBe(true);
  expect(isPressed("up", press("ArrowUp"))).toBe(true);
  expect(isPressed("+", press("+", { shiftKey: true }))).toBe(true);
});

test("a sequence is partial until its last key", () => {
  const chords = parseKeys("g y");
  expect(matchPresses(chords, [press("g")], false)).toBe("partial");
  expect(matchPresses(chords, [press("g"), press("y")], false)).toBe("complete");
  expect(matchPresses(chords, [press("g"), press("b")], false)).toBe("none");
  expect(matchPresses(chords, [press("g"), press("y"), press("y")], false)).toBe("none");
});

test("what is printed on the keys", () => {
  expect(keyCaps("mod+k", true)).toEqual(["⌘", "K"]);
  expect(keyCaps("mod+k", false)).toEqual(["Ctrl", "K"]);
  expect(keyCaps("g y", false)).toEqual(["G", "Y"]);
  expect(keyCaps("shift+f", false)).toEqual(["⇧", "F"]);
  expect(keyCaps("mod+enter", true)).toEqual(["⌘", "↵"]);
  expect(ariaKeys("mod+k", false)).toBe("Control+K");
  expect(ariaKeys("g y", false)).toBeUndefined();
});

test("nonsense is refused with the grammar in the message", () => {
  expect(() => parseKeys("")).toThrow(/not a shortcut/);
  expect(() => parseKeys("hyper+k")).toThrow(/mod\+key/);
  expect(isChordPressed({ key: "k", isMod: false, isShift: false, isAlt: false }, press("k"), false)).toBe(true);
});
