// A note can be stored whatever it was cut from.
import { expect, test } from "vitest";
import { noteOf } from "./note";

test("is cut between characters, never within one, and contains nothing that a database refuses", () => {
  expect(noteOf(`${"a".repeat(159)}\u{1f600} and on`)).toBe(`${"a".repeat(159)}\u{1f600}`);
  expect(noteOf("x\u0000y \ud83d")).toBe("x\ufffdy \ufffd");
  expect(noteOf("as it is")).toBe("as it is");
});
