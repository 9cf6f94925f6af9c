// Ids made since a run began are the same to the comparison; everything else in a text counts.
import { expect, test } from "vitest";
import { newId } from "../../new-id";
import { foldIds, namesOf } from "./fold-ids";

test.each(["turn_", "tc_", ""] as const)("an id with the prefix %j", (prefix) => {
  const id = newId(prefix);
  expect(foldIds(`see ${id}, and "${id}".`, Date.now() - 1_000)).toBe('see #, and "#".');
  expect(foldIds(id, Date.now() + 1_000)).toBe(id);
});
test("an agent's id goes with its profile", () => {
  expect(foldIds(`ask well-read_${newId()}`, 0)).toBe("ask #");
});
test.each(["2S02 took 41 s", "a".repeat(64), "0123456789abcdef0123456789abcdef", `${newId()}${newId()}`])(
  "%s stays",
  (text) => expect(foldIds(text, 0)).toBe(text),
);
test("the names of packs, whole, the longest first", () => {
  const names = namesOf(["p-1", "artifact://context/p-1", "a".repeat(64), "CP-1.x"]);
  expect(foldIds(`see artifact://context/p-1 (${"a".repeat(64)}), code CP-1.x`, 0, names)).toBe("see # (#), code #");
  expect(foldIds("p-12 and xp-1 and CP-1yx stay", 0, names)).toBe("p-12 and xp-1 and CP-1yx stay");
  expect(namesOf([])).toBeNull();
});
