import { expect, test } from "vitest";
import type { CommandItem, CommandSource } from "@/components/ui/commands";
import { matchItem, paletteGroups, parseQuery } from "./palette-rows";
import { parseRecent } from "./recent-commands";

function item(id: string, label: string, rest: Partial<CommandItem> = {}): CommandItem {
  return { id, label, icon: null, ...rest };
}

const sources: CommandSource[] = [
  { id: "do", group: "do", items: [item("retry", "Retry failed tasks"), item("launch", "Launch a turn")] },
  { id: "turns", group: "turns", items: [item("t5", "Hydrogen", { plate: "2S05", detail: "failed" })] },
  { id: "boxes", group: "boxes", search: async () => [] },
];

test("prefixes choose the group", () => {
  expect(parseQuery(">  fail ")).toEqual({ prefix: ">", words: "fail" });
  expect(parseQuery("fail")).toEqual({ prefix: null, words: "fail" });
  const groups = paletteGroups(sources, new Map(), parseQuery(">"));
  expect(groups.map((group) => group.id)).toEqual(["do"]);
});

test("groups come in their order, with only what is hit", () => {
  const groups = paletteGroups(sources, new Map(), parseQuery("fail"));
  expect(groups.map((group) => [group.id, group.rows.map((row) => row.item.id)])).toEqual([
    ["turns", ["t5"]],
    ["do", ["retry"]],
  ]);
});

test("every word must be hit somewhere in the row", () => {
  expect(matchItem(item("a", "Hydrogen", { plate: "2S05", detail: "failed" }), "2s05 fail")).not.toBeNull();
  expect(matchItem(item("a", "Hydrogen", { plate: "2S05", detail: "failed" }), "2s05 running")).toBeNull();
});

test("a plate is found before a word that merely holds it", () => {
  const plate = matchItem(item("a", "Hydrogen", { plate: "2S05" }), "2s05")?.score ?? 0;
  const text = matchItem(item("b", "2S05 is quoted here"), "2s05")?.score ?? 0;
  expect(plate).toBeGreaterThan(text);
});

test("what the server found is shown though no letter matches, once, and a cap says how many there are", () => {
  const found = new Map([["boxes", Array.from({ length: 9 }, (_, i) => item(`b${i}`, `box ${i}`))]]);
  const [group] = paletteGroups([...sources, ...sources.slice(2)], found, parseQuery("zzz"));
  expect(group?.rows).toHaveLength(5);
  expect(group?.total).toBe(9);
});

test("recent commands of another version or none are dropped", () => {
  expect(parseRecent("no json")).toEqual([]);
  expect(parseRecent("{}")).toEqual([]);
  expect(parseRecent('[{"id":1},{"id":"a","label":"A"}]')).toEqual([{ id: "a", label: "A" }]);
});
