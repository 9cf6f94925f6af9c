import { expect, test } from "vitest";
import { toggled } from "./use-chosen";

const listed = ["a", "b", "c", "d"];
const of = (...ids: string[]) => new Set(ids);

test("one is chosen and let go, and a range follows its end", () => {
  expect(toggled(of(), listed, "b", null)).toEqual(of("b"));
  expect(toggled(of("b"), listed, "b", null)).toEqual(of());
  expect(toggled(of("b"), listed, "d", "b")).toEqual(of("b", "c", "d"));
  expect(toggled(of("d"), listed, "a", "d")).toEqual(of("a", "b", "c", "d"));
  expect(toggled(of("a", "b", "c"), listed, "a", "c")).toEqual(of());
});

test("an end that is no longer listed makes no range", () => {
  expect(toggled(of("gone"), listed, "b", "gone")).toEqual(of("gone", "b"));
});
