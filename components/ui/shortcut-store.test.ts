import { expect, test } from "vitest";
import type { KeyPress } from "./shortcut-keys";
import { createShortcutStore, type PressPlace, type Shortcut } from "./shortcut-store";

const page: PressPlace = { isTyping: false, isOnControl: false, isInList: false };
const field: PressPlace = { ...page, isTyping: true };

function press(key: string, held: Partial<KeyPress> = {}): KeyPress {
  return { key, metaKey: false, ctrlKey: false, shiftKey: false, altKey: false, ...held };
}

function setUp() {
  const store = createShortcutStore();
  const fired: string[] = [];
  let now = 0;
  return {
    store,
    fired,
    add(keys: string, layer = "", rest: Partial<Shortcut> = {}) {
      const run = () => fired.push(keys);
      return store.add({ keys: [keys], label: keys, group: "g", isWhileTyping: false, run, ...rest }, layer);
    },
    hit(key: string, place = page, held: Partial<KeyPress> = {}, wait = 10) {
      now += wait;
      return store.press(press(key, held), place, false, now);
    },
  };
}

test("single keys rest while one types; mod works everywhere", () => {
  const { add, hit, fired } = setUp();
  add("l");
  add("mod+enter");
  expect(hit("l", field)).toBe(false);
  expect(hit("Enter", field, { ctrlKey: true })).toBe(true);
  expect(hit("l")).toBe(true);
  expect(fired).toEqual(["mod+enter", "l"]);
});

test("a sequence fires on its last key, and a wrong one ends it without firing anything", () => {
  const { add, hit, fired } = setUp();
  add("g y");
  add("l");
  expect(hit("g")).toBe(true);
  expect(hit("y")).toBe(true);
  hit("g");
  expect(hit("l")).toBe(true);
  expect(fired).toEqual(["g y"]);
  hit("l");
  expect(fired).toEqual(["g y", "l"]);
});

test("a sequence is forgotten after a while", () => {
  const { add, hit, fired } = setUp();
  add("g y");
  hit("g");
  hit("y", page, {}, 5000);
  expect(fired).toEqual([]);
});

test("a held Shift between the keys does not break a sequence", () => {
  const { add, hit, fired } = setUp();
  add("g shift+f");
  hit("g");
  hit("Shift", page, { shiftKey: true });
  hit("F", page, { shiftKey: true });
  expect(fired).toEqual(["g shift+f"]);
});

test("while a dialog is open only its own keys fire", () => {
  const { add, hit, fired, store } = setUp();
  add("l");
  add("mod+enter", "dialog");
  const close = store.pushLayer("dialog");
  expect(hit("l")).toBe(false);
  hit("Enter", field, { ctrlKey: true });
  close();
  hit("l");
  expect(fired).toEqual(["mod+enter", "l"]);
});

test("the newest registration wins, and the older one is back when it goes", () => {
  const { hit, store } = setUp();
  const fired: string[] = [];
  const shortcut = (name: string) => ({
    keys: ["b"],
    label: name,
    group: "g",
    isWhileTyping: false,
    run: () => fired.push(name),
  });
  store.add(shortcut("shell"), "");
  const remove = store.add(shortcut("screen"), "");
  hit("b");
  remove();
  hit("b");
  expect(fired).toEqual(["screen", "shell"]);
});

test("a focused control keeps Space and Enter, a menu keeps its letters", () => {
  const { add, hit, fired } = setUp();
  add("space");
  add("l");
  expect(hit(" ", { ...page, isOnControl: true })).toBe(false);
  expect(hit("l", { ...page, isInList: true })).toBe(false);
  expect(hit(" ")).toBe(true);
  expect(fired).toEqual(["space"]);
});

test("the list is what is registered, and listeners hear of it", () => {
  const { add, store } = setUp();
  let calls = 0;
  store.subscribe(() => {
    calls += 1;
  });
  const remove = add("l");
  expect(store.list().map((shortcut) => shortcut.label)).toEqual(["l"]);
  remove();
  expect(store.list()).toEqual([]);
  expect(calls).toBe(2);
});
