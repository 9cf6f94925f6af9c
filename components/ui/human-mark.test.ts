import { expect, test } from "vitest";
import { initials } from "./human-mark";

test.each([
  ["mara ober", "MO"],
  ["mara_ober", "MO"],
  ["mara", "MA"],
  ["Łukasz", "ŁU"],
  ["  ", "?"],
])("%s gives %s", (name, letters) => {
  expect(initials(name)).toBe(letters);
});
