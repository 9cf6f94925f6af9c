import { expect, test } from "vitest";
import type { Shortcut } from "@/components/ui/shortcut-store";
import { projectHref, sectionLinks, sectionOf } from "./shell-links";
import { groupShortcuts } from "./shortcut-help";

test.each([
  ["/", null],
  ["/p/demo", "yard"],
  ["/p/demo/", "yard"],
  ["/p/demo/runs", "runs"],
  ["/p/demo/boxes", "boxes"],
  ["/p/demo/boxes/4e7a", "boxes"],
  ["/p/demo/cards/c-1", "cards"],
  ["/p/demo/batches/batch_1", "batches"],
  ["/p/demo/plans/first-look", "plans"],
  ["/p/demo/packs/new", "packs"],
  ["/p/demo/inbox", "inbox"],
  ["/p/demo/env", "env"],
  ["/p/demo/search", "search"],
  ["/p/demo/alarms", "alarms"],
  ["/p/demo/turns/1", null],
  ["/settings", null],
])("%s belongs to %s", (pathname, section) => {
  expect(sectionOf(pathname)).toBe(section);
});

test("every section leads to itself, whatever the project is called", () => {
  for (const link of sectionLinks("a/b c")) expect(sectionOf(link.href)).toBe(link.section);
  expect(projectHref("a/b c")).toBe("/p/a%2Fb%20c");
});

test("the help says a thing once and keeps the order", () => {
  const shortcut = (label: string, group: string): Shortcut => ({
    keys: ["x"],
    label,
    group,
    isWhileTyping: false,
    run: () => {},
  });
  const groups = groupShortcuts([
    shortcut("Launch", "A"),
    shortcut("Yard", "B"),
    shortcut("Launch", "A"),
    shortcut("Search", "A"),
  ]);
  expect([...groups.keys()]).toEqual(["A", "B"]);
  expect(groups.get("A")?.map((entry) => entry.label)).toEqual(["Launch", "Search"]);
});
